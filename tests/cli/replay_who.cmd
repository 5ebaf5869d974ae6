weir replay next.yaml day.jsonl --no-store --who client_ip | tail -12
