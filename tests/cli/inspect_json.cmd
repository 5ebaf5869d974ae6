weir inspect day.jsonl --json
