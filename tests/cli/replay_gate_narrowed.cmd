weir replay next.yaml day.jsonl --no-store --fail-if 'rejected[plan=pro] > 1000 or rule("search").rejected > 1000' | tail -1
