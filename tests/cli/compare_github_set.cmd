weir compare --log day.jsonl now.yaml --set search.burst=100 --no-store -q --format github --show-keys
