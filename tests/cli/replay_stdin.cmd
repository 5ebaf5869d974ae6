weir replay now.yaml - --no-store < day.jsonl | head -12
