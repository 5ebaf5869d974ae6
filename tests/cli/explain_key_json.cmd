weir replay next.yaml day.jsonl -q >/dev/null; weir explain 1 --key search=k-pro --json
