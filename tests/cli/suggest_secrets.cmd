printf '{"level":"info","ts":1764331200.%s,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.1","remote_port":"1","client_ip":"192.0.2.1","proto":"HTTP/1.1","method":"GET","host":"h","uri":"/a","headers":{"Authorization":["Bearer s3cret"]}},"user_id":"","duration":0.001,"size":1,"status":200}\n' 1 2 3 > c.log
echo '{"msg":"handled request","request":{"headers":{"Authorization":["Bearer s3cret"]' >> c.log
cat > p.yaml <<X
weir: 1
name: p
attributes:
  account: { from: http_authorization, pattern: "Bearer {account}" }
tiers:
  edge: [{ name: per, key: [account], algorithm: fixed_window, rate: 1/min }]
X
weir suggest c.log --policy p.yaml --key account --window 1min
weir suggest c.log --map api_key=http_authorization --key api_key --window 1min --json | grep -A6 '"largest"'
weir suggest c.log --policy p.yaml --key account --rate 1/s --format csv > r 2>&1
weir suggest c.log --policy p.yaml --key account --protect client_ip=192.0.2.1 --who account --json >> r
weir sweep p.yaml c.log --vary per.rate=1/min,2/min --who account >> r
weir sweep p.yaml c.log --vary per.rate=1/min,2/min --who account --json >> r
weir new --from c.log --map api_key=http_authorization >> r 2>&1
grep -c s3cret r
