weir replay now.yaml day.jsonl --no-store --rejects bad.jsonl > /dev/null; cat bad.jsonl
