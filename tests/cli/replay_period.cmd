weir replay now.yaml day.jsonl --no-store --from 2025-11-24T10:00:10Z --to 2025-11-24T10:00:20Z | sed -n '1,9p;/note/p'
