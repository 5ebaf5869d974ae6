weir merge a.db b.db -o c.db; weir replay now.yaml day.jsonl --partition 1/3; weir export now.yaml --to nginx; weir export now.yaml --to banana
