gzip -nc day.jsonl > day.gz; head -c 1000 day.gz > cut.gz; tail -c +11 day.gz > packed
weir inspect cut.gz day.jsonl -q > /dev/null; weir inspect cut.gz day.jsonl > /dev/null
weir replay limits.yaml cut.gz day.jsonl --no-store | grep damaged
weir inspect packed
echo x >> day.jsonl; weir convert day.jsonl --rejects /dev/full > /dev/null; echo "status $?"
