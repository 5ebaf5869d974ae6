weir check risky.yaml --log day.jsonl --warmup 1s --format github
