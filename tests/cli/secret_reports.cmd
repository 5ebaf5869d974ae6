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
weir replay p.yaml c.log --who account --db x --quiet > r
weir replay p.yaml c.log --who account --db x --quiet --set per.rate=2/min >> r
for format in text json markdown github csv; do
  weir compare 2 1 --db x --by http_authorization --format $format
  weir compare 2 1 --db x --by http_authorization --format $format --show-keys
  weir compare p.yaml --set per.rate=2/min --log c.log --no-store --who account --by account --format $format
done >> r
for format in html markdown json csv; do
  weir report 1 --db x --by http_authorization --format $format
  weir report 1 --db x --by http_authorization --format $format --show-keys
  weir report 1 2 --db x --by account --format $format --show-keys
done >> r
name=$(weir show 1 --db x | sed -n 's/.*\(key-[0-9a-f]*\)  *per .*/\1/p')
weir explain 1 --db x --key per=$name
weir explain 1 --db x --key per=$name --json | grep -A2 '"key"'
weir explain 1 --db x --key per=s3cret >> r
weir explain 1 --db x --key per=s3cret-of-nobody 2>> r
grep -c "$name" r
grep -c s3cret r
