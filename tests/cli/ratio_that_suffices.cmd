log() { printf '192.0.2.%s - - [28/Nov/2026:12:00:0%s +0000] "GET /a HTTP/1.1" 200 5 "-" "curl"\n' 1 1 2 2 3 3; }
{ head -c 70000000 /dev/zero; log; } | gzip -9 > a.gz
weir convert a.gz; echo "status $?"
weir convert a.gz --max-ratio none | wc -l
