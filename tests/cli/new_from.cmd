weir new --from day.jsonl | tee p.yaml && weir check p.yaml | grep -c '^weir: error'; weir replay p.yaml day.jsonl --no-store | head -4
