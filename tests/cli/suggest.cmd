weir suggest day.jsonl --key client_ip --key api_key --window 1min
