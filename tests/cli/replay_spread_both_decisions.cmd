weir replay now.yaml day.jsonl --spread both --no-store --decisions d.out
