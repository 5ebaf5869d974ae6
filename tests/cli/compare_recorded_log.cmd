weir compare --log day.jsonl recorded next.yaml --no-store
