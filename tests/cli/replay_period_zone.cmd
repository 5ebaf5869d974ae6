weir replay now.yaml day.jsonl --no-store --tz Asia/Tokyo --from '2025-11-24 19:00:10' --to 2025-11-24T10:00:20Z --json | sed -n '/"left_out"/p;/"from"/p;/"to"/p'
