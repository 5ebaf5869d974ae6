weir compare --log day.jsonl now.yaml next.yaml --no-store -q --top 3 --format markdown --show-keys
