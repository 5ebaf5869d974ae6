head -100 day.jsonl > a.jsonl; tail -n +101 day.jsonl | gzip > b.jsonl.gz; weir inspect a.jsonl b.jsonl.gz | head -30
