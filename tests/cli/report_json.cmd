weir replay now.yaml day.jsonl -q >/dev/null; weir report 1 --json | sed -n '/"timelines"/,$p' | head -60
