gzip -9n < day.jsonl | head -c 1500 > cut.gz; weir replay now.yaml cut.gz --no-store --quiet | sed -n 6,8p
