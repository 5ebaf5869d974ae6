weir compare --log day.jsonl now.yaml next.yaml --no-store -q --top 2 --format github --fail-if 'newly_rejected > 30'
