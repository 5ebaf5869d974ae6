weir compare --log day.jsonl now.yaml next.yaml --no-store --format markdwon
