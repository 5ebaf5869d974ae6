weir replay now.yaml day.jsonl -q >/dev/null; weir show 1 --from 2025-11-24T10:00:10Z --json | sed -n '/"period"/,/"rules"/p'
