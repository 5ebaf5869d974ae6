weir sweep now.yaml day.jsonl --vary per-address.rate=10/10s --warmup 10s --json
