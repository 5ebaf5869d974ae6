weir replay next.yaml day.jsonl --db runs.db > /dev/null; weir explain 1 --db runs.db --at 2025-11-24T10:00:40Z | head -3
