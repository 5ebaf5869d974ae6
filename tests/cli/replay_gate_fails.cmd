weir replay next.yaml day.jsonl --no-store --fail-if 'rejected_share > 5%' | tail -1; weir replay next.yaml day.jsonl --no-store --fail-if 'rejected_share > 5%' > /dev/null
