weir compare --log day.jsonl now.yaml next.yaml --no-store -q --by plan --format csv | tr -d '\r'
