weir suggest day.jsonl --key api_key --rate 1/s --limit 2 --json
