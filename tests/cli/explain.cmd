weir replay next.yaml day.jsonl --db runs.db > /dev/null; weir explain 1 --db runs.db --where 'path=/search/** and plan=pro'
