weir compare --log day.jsonl now.yaml next.yaml --db runs.db --top x; echo $?; weir runs --db runs.db
