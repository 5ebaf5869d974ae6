weir convert day.jsonl --from 2025-11-24T10:00:10.5Z --to 2025-11-24T10:00:12Z | cut -c1-60
weir convert day.jsonl --from 2025-11-24T10:00:13Z --to 2025-11-24T10:00:12Z
