weir replay now.yaml day.jsonl --no-store --sampled 1/20 --json | grep sample
