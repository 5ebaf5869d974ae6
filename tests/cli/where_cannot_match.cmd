for where in status=abc status=429,503 client_ip=192.0.2.1/24; do
weir replay limits.yaml day.jsonl --no-store --where $where; echo "status $?"
weir replay limits.yaml day.jsonl --no-store --recorded-rejection $where; echo "status $?"
done
weir compare limits.yaml next.yaml --log day.jsonl --no-store --where status=abc; echo "status $?"
