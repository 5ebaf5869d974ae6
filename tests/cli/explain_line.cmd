weir replay next.yaml day.jsonl --db runs.db > /dev/null; weir explain 1 --db runs.db --line day.jsonl:60 | head -3
