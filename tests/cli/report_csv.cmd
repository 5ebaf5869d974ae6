weir replay now.yaml day.jsonl -q >/dev/null; weir report 1 --format csv | tr -d '\r' | head -40
