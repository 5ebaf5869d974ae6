weir replay now.yaml day.jsonl --no-store --warmup 30s | sed -n 6,14p
