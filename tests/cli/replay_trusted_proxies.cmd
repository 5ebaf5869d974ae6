log() { printf '%s - - [28/Nov/2026:10:00:0%s +0000] "GET /search HTTP/1.1" 200 5 "-" "c" "%s"\n' "$1" "$2" "$3"; }
{ log 10.0.0.1 1 '203.0.113.7, 198.51.100.1, 10.0.0.2'; log 10.0.0.1 2 '198.51.100.2, unknown'; log 192.0.2.1 3 '198.51.100.3'; } > main.log
weir convert main.log --trusted-proxies 10.0.0.0/8 | grep -o '"client_ip": "[^"]*"'
weir replay now.yaml main.log --who client_ip --trusted-proxies 10.0.0.0/8 --no-store --json | grep -o '"\(proxies\|text\)": "[^"]*\(10.0.0.0\|proxies\)[^"]*"'
weir replay now.yaml main.log --trusted-proxies 10.0.0.1/8
