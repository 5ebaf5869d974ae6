weir replay now.yaml day.jsonl -q >/dev/null; weir replay next.yaml day.jsonl -q >/dev/null; weir compare 1 2 --format github --top 1; weir compare 2 1 --format github --top 1
