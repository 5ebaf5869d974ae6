weir replay now.yaml day.jsonl --db runs.db > /dev/null; weir compare one 1 --db runs.db
