weir replay now.yaml day.jsonl --no-store --mode serch=off
