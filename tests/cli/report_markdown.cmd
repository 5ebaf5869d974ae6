weir replay now.yaml day.jsonl -q >/dev/null; weir report 1 --format markdown --by plan --top 3
