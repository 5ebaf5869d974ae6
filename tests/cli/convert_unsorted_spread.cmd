weir convert day.jsonl --unsorted --spread even
