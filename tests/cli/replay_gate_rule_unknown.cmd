weir replay next.yaml day.jsonl --no-store --fail-if 'rule("serch").rejected > 0'
