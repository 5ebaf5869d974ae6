weir replay now.yaml day.jsonl -q >/dev/null; weir show 1 --by plan --json | sed -n '/"by"/,/^  }/p'
