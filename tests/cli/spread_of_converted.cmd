log() { printf '192.0.2.%s - - [28/Nov/2026:12:00:0%s +0000] "GET /a HTTP/1.1" 200 5 "-" "curl"\n' 1 1 2 2 3 3; }
{ log; log; } > a.log; weir convert a.log --spread even -q > even.jsonl
weir convert a.log --spread none -q | sed 's/,.*//' > none; weir convert even.jsonl --spread none -q | sed 's/,.*//' | cmp - none && echo same
weir convert even.jsonl -q | sed 's/,.*//' > kept; sed 's/,.*//' even.jsonl | cmp - kept && echo kept
