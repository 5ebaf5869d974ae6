log() { printf '192.0.2.%s - - [28/Nov/2026:12:00:0%s +0000] "GET /a HTTP/1.1" 200 5 "-" "curl"\n' 1 1 2 2 3 3; }
log > a.log
weir convert a.log --map api_key=http_refere; echo "status $?"
cat > d.logs.yaml <<X
logs: 1
groups:
  - files: [a.log]
    map: { api_key: nofield }
X
weir convert d.logs.yaml; echo "status $?"
weir convert day.jsonl --map api_key=nofield -q | head -n 1 | cut -c 1-20
