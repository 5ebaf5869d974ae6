weir replay now.yaml - day.jsonl - --no-store </dev/null
