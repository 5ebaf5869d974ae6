weir replay next.yaml day.jsonl --db runs.db > /dev/null; weir explain 1 --db runs.db --request 9999
