weir replay now.yaml day.jsonl -q --from 2025-11-24T10:00:20Z >/dev/null; weir explain 1 | head -8; weir explain 1 --request 3
