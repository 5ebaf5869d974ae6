weir inspect day.jsonl
