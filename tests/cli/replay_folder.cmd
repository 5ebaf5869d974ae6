mkdir logs logs/older
head -9 day.jsonl > logs/b.jsonl
tail -n +10 day.jsonl | gzip -n > logs/a.jsonl.gz
touch logs/.keep
weir replay now.yaml logs --no-store | sed -n 2,9p
weir replay now.yaml logs/older --no-store
