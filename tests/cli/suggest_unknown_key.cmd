weir suggest day.jsonl --key api_kye
