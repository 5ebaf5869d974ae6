weir compare --log day.jsonl now.yaml --set search.burst=1 --no-store
