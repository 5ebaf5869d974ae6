weir replay now.yaml day.jsonl --db runs.db > /dev/null; weir replay now.yaml day.jsonl --db runs.db --who client_ip > /dev/null; weir compare 1 2 --db runs.db
