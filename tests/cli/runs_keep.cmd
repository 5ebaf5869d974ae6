for i in 1 2 3; do weir replay now.yaml day.jsonl --db runs.db --name r$i > /dev/null; done; weir runs --db runs.db --keep 1 --json | grep -E 'name|state|requests'
