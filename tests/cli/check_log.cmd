weir check risky.yaml --log day.jsonl
