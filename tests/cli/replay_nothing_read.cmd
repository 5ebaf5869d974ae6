weir replay now.yaml day.jsonl --no-store --log-format nginx-combined --fail-if 'rejected > 1000' | tail -2; weir replay now.yaml day.jsonl --no-store --log-format nginx-combined > /dev/null
