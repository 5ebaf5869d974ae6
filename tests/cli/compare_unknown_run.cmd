weir replay now.yaml day.jsonl --db runs.db > /dev/null; weir compare 1 9 --db runs.db
