weir replay now.yaml day.jsonl --no-store --from yesterday
