weir replay now.yaml day.jsonl --no-store --from 2025-11-25 --to 2025-11-24
