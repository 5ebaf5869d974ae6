weir generate steady --rate 2/s --duration 2s --keys 2 --start 2026-11-28T12:00:00Z
