weir replay now.yaml day.jsonl --no-store --log-format ngnix-combined
