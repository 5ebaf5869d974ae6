weir compare --log day.jsonl now.yaml next.yaml --no-store -q --top 1 --format csv | od -c | head -3
