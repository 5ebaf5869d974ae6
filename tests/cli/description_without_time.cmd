log() { printf '192.0.2.%s - - [28/Nov/2026:12:00:0%s +0000] "GET /a HTTP/1.1" 200 5 "-" "curl"\n' 1 1 2 2 3 3; }
log > a.log
cat > d.logs.yaml <<'X'
logs: 1
groups:
  - files: [a.log]
    log_format: '$remote_addr $status'
X
weir convert d.logs.yaml; echo "status $?"
sed -i 's/.remote_addr .status/nosuch/' d.logs.yaml; weir convert d.logs.yaml; echo "status $?"
