weir replay now.yaml day.jsonl --tz europe/berlin --no-store
