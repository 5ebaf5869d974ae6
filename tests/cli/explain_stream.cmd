weir replay next.yaml - --db runs.db < day.jsonl > /dev/null; weir explain 1 --db runs.db; echo $?; weir explain 1 --db runs.db --recording day.jsonl | head -1
