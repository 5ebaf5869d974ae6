weir suggest day.jsonl --where path=/login --key client_ip --window 1min --stop client_ip=192.0.2.2 --protect 'api_key=k-pro*'
