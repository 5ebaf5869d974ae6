weir replay now.yaml day.jsonl --db runs.db > /dev/null; head -50 day.jsonl > less.jsonl; weir replay now.yaml less.jsonl --db runs.db > /dev/null; weir compare 1 2 --db runs.db
