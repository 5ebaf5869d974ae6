weir compare --log day.jsonl now.yaml next.yaml --spread both
