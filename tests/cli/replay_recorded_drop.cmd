weir replay now.yaml day.jsonl --no-store --recorded-rejected drop | sed -n '/requests  /p;/production/p;/drop/p'
