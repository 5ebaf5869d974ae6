weir replay next.yaml day.jsonl --db runs.db > /dev/null; mv day.jsonl other.jsonl; weir explain 1 --db runs.db; echo $?; weir explain 1 --db runs.db --recording other.jsonl | head -1
