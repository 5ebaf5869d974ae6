weir replay limits.yaml day.jsonl --no-store --clients fixed | head -n 8; weir replay limits.yaml day.jsonl --no-store --clients fixed --nodes 2 --state local | head -n 8
