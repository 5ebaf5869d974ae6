{ head -3 day.jsonl; echo oops; } > a.jsonl; { head -2 day.jsonl; echo oh; echo '{"path": "/"}'; } > b.jsonl
weir inspect a.jsonl b.jsonl | grep -A3 '^not read'
weir inspect a.jsonl b.jsonl --json | grep -A12 '"not_read"'
weir inspect a.jsonl | grep -A1 '^not read'
