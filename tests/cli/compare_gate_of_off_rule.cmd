weir compare --log day.jsonl now.yaml --mode search=off --no-store --fail-if 'rule("search").newly_admitted > 0' | tail -1
