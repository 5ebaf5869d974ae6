weir replay now.yaml day.jsonl --no-store --decisions day.jsonl; weir replay now.yaml day.jsonl --no-store --rejects now.yaml
