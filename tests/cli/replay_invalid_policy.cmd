weir replay wrong.yaml day.jsonl --no-store
