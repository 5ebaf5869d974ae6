weir replay next.yaml day.jsonl --no-store --decisions d.jsonl > /dev/null && head -3 d.jsonl && wc -l < d.jsonl
