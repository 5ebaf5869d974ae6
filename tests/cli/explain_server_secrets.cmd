for i in 1 2 3; do printf '{"level":"info","ts":1764331200.%s,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.1","remote_port":"1","client_ip":"192.0.2.1","proto":"HTTP/1.1","method":"GET","host":"h","uri":"/a","headers":{"Authorization":["Bearer s3cret%s"]}},"user_id":"","duration":0.001,"size":1,"status":200}\n' $i $i; done > c.log
printf 'weir: 1\nname: p\ntiers:\n  edge: [{ name: per, key: [client_ip], algorithm: fixed_window, rate: 1/min }]\n' > p.yaml
weir replay p.yaml c.log --nodes by:http_authorization --state shared --clients fixed --db x --quiet > r
weir explain 1 --request 3 --db x | tee -a r | grep 'server\|later' -A2
weir explain 1 --request 3 --db x --json >> r
for format in html markdown json csv; do weir report 1 --db x --format $format --show-keys; done >> r
grep -c s3cret r || true
