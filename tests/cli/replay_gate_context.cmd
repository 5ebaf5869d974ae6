weir replay next.yaml day.jsonl --no-store --fail-if 'newly_rejected > 0'
