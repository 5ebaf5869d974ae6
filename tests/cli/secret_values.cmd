printf '{"level":"info","ts":1764331200.%s,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.1","remote_port":"1","client_ip":"192.0.2.1","proto":"HTTP/1.1","method":"GET","host":"h","uri":"/a","headers":{"X-Api-Key":["key-one"],"Authorization":["Bearer s3cret"]}},"user_id":"","duration":0.001,"size":1,"status":200}\n' 1 2 3 > c.log
echo '{"msg":"handled request","request":{"headers":{"Authorization":["Bearer s3cret"]' >> c.log
cat > p.yaml <<X
weir: 1
name: p
attributes:
  account: { from: http_authorization, pattern: "Bearer {account}" }
tiers:
  edge: [{ name: per, key: [account], algorithm: fixed_window, rate: 1/min }]
X
cat > m.yaml <<X
weir: 1
name: m
tiers:
  edge: [{ name: per, key: [api_key], algorithm: fixed_window, rate: 1/min }]
X
weir replay p.yaml c.log --who account --db x
weir explain 1 --request 3 --db x
weir explain 1 --request 3 --db x --json | grep -c s3cret
weir replay m.yaml c.log --map api_key=http_authorization --db x > r
weir show 2 --db x --json | grep -A3 '"keys"'
weir compare m.yaml --set per.rate=2/min --log c.log --map api_key=http_authorization --no-store --by api_key >> r
weir inspect c.log --map api_key=http_authorization >> r
weir inspect c.log --json --map api_key=http_authorization >> r
weir replay m.yaml c.log --map api_key=http_authorization --spread both --no-store >> r
weir explain 2 --request 3 --db x --json >> r
grep -c s3cret r
