printf '192.0.2.%s - - [28/Nov/2025:12:00:01 +0000] "GET /a HTTP/1.1" %s 12 "-" "x"\n' 1 200 1 429 2 200 1 200 > s.log
weir suggest s.log --key client_ip --window 1min --sampled 1/10 --format csv
weir suggest s.log --key client_ip --window 1min --sampled 1/10
weir sweep limits.yaml s.log --vary free-plan.rate=1/min --sampled 1/10 --recorded-rejected drop
weir suggest s.log --key client_ip --spread both
weir sweep limits.yaml s.log --vary free-plan.rate=1/min --spread both
: > empty.jsonl; weir suggest empty.jsonl --key client_ip
