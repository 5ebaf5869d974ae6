weir replay now.yaml day.jsonl -q >/dev/null; weir replay now.yaml day.jsonl -q --recorded-rejected drop >/dev/null; weir compare 1 2
