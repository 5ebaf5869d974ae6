weir replay now.yaml day.jsonl --no-store --decisions /dev/stdout --quiet | head -1 | cut -c1-20
