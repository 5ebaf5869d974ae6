weir compare --log day.jsonl now.yaml next.yaml --no-store --json --by plan --top 3
