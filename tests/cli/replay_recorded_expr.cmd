weir replay now.yaml day.jsonl --no-store --recorded-rejection 'status=404' | sed -n '/production/p;/recorded/p;/note: production/p'
