weir replay next.yaml day.jsonl --db runs.db > /dev/null; sed -i 's/"time_ns": 1763/"time_ns": 1764/' day.jsonl; weir explain 1 --db runs.db --request 200
