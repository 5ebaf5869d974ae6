weir replay next.yaml day.jsonl --db runs.db > /dev/null; weir explain 1 --db runs.db --where 'client_ip=192.0.2.5'
