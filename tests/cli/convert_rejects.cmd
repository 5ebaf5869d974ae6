weir convert day.jsonl --rejects bad.jsonl > /dev/null; cat bad.jsonl
