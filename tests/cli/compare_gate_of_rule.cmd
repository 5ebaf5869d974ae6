weir compare --log day.jsonl now.yaml next.yaml --no-store --fail-if 'rule("search").would_reject > 0'
