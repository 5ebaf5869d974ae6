weir compare limits.yaml --set search.rate=5/60s --log day.jsonl --no-store --clients exponential | head -n 4
