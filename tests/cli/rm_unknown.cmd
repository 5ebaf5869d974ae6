weir replay now.yaml day.jsonl --db runs.db > /dev/null; weir rm 1 2 --db runs.db; echo $?; weir runs --db runs.db --json | grep '"run"'
