cp day.jsonl again.jsonl; weir replay now.yaml day.jsonl again.jsonl --no-store | grep twice
