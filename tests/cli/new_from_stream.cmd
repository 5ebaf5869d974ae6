weir new --from - < day.jsonl
