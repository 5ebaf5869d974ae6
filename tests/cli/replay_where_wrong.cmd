weir replay now.yaml day.jsonl --no-store --where 'plan>3'
