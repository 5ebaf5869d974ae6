weir generate boundary --duration 10s --start 2026-11-28T12:00:01Z
