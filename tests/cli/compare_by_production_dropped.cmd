weir replay now.yaml day.jsonl -q --recorded-rejected drop >/dev/null; weir replay next.yaml day.jsonl -q --recorded-rejected drop >/dev/null; weir compare 1 2 --by method | tail -5
