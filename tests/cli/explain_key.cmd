weir replay next.yaml day.jsonl -q >/dev/null; weir explain 1 --key search=k-free; weir explain 1 --key login=192.0.2.2
