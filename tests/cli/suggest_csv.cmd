weir suggest day.jsonl --key api_key,method --key '[]' --window 10s --rate 30/min --format csv
