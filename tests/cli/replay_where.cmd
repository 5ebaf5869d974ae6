weir replay now.yaml day.jsonl --no-store --where 'plan=pro' | sed -n 6,9p
