weir replay now.yaml day.jsonl --no-store --recorded-rejection 'apache'
