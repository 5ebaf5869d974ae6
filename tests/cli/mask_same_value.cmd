log() { printf '192.0.2.%s - - [28/Nov/2026:12:00:0%s +0000] "GET /a HTTP/1.1" 200 5 "-" "curl"\n' 1 1 2 2 3 3; }
printf '192.0.2.9 - - [28/Nov/2026:12:00:01 +0000] "GET /k/key-one?a=b&key=key-one HTTP/1.1" 200 5 "-" "curl" "203.0.113.7, 10.0.0.1" "key-one"\n' > a.log
format='$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" "$http_x_forwarded_for" "$http_x_api_key"'
weir convert a.log --log-format "$format" --trusted-proxies 10.0.0.0/8,192.0.2.9/32 --mask client_ip,api_key --map api_key=http_x_api_key
weir convert a.log --log-format "$format" --mask api_key | tr ',' '\n' | grep -n key
weir convert day.jsonl --mask duration; echo "status $?"
weir convert day.jsonl --mask ''; echo "status $?"
