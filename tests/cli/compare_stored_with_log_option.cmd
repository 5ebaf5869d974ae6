weir replay now.yaml day.jsonl --db runs.db > /dev/null; weir compare recorded 1 --db runs.db --where 'method=POST'
