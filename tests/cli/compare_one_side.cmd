weir compare --log day.jsonl now.yaml --no-store
