weir replay now.yaml day.jsonl --no-store --json --top 2 2>&1 || weir replay now.yaml day.jsonl --no-store --json
