weir convert day.jsonl -o day.jsonl; weir convert day.jsonl -o ./day.jsonl
