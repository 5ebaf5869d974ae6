weir replay next.yaml day.jsonl --no-store --fail-if 'rejected[plam=pro] > 0'
