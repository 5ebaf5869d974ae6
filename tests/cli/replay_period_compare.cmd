weir replay now.yaml day.jsonl -q >/dev/null; weir replay next.yaml day.jsonl -q --from 2025-11-24T10:00:10Z >/dev/null; weir compare 1 2
