weir replay now.yaml day.jsonl --no-store --sampled 20
