weir replay now.yaml day.jsonl -q >/dev/null; weir show 1 --by plan,method --from 2025-11-24T10:00:10Z | sed -n '/^  plan/,$p'
