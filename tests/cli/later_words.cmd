weir generate burst; weir replay now.yaml day.jsonl --nodes 3; weir export now.yaml --to nginx; weir export now.yaml --to banana
