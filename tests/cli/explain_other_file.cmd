weir replay now.yaml day.jsonl --db runs.db > /dev/null; weir explain 1 --db runs.db --line other.jsonl:5
