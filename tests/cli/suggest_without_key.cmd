weir suggest day.jsonl
