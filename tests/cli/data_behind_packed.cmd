log() { printf '192.0.2.%s - - [28/Nov/2026:12:00:0%s +0000] "GET /a HTTP/1.1" 200 5 "-" "curl"\n' 1 1 2 2 3 3; }
{ log | gzip -c; log | zstd -qc; } > a.gz; { log | gzip -c; log; } > b.gz
for each in a.gz b.gz; do weir replay limits.yaml $each --no-store --json | grep -o '"partial": [a-z]*'; done
