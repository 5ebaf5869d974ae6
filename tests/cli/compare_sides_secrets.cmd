printf '{"level":"info","ts":1764331200.%s,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.1","remote_port":"1","client_ip":"192.0.2.1","proto":"HTTP/1.1","method":"GET","host":"h","uri":"/p1ain","headers":{"Authorization":["Bearer s3cret"]}},"user_id":"","duration":0.001,"size":1,"status":200}\n' 1 2 3 > c.log
policy() { printf 'weir: 1\nname: %s\nattributes:\n  team: { from: %s, pattern: "%s{team}" }\ntiers:\n  edge: [{ name: per, key: [team], algorithm: fixed_window, rate: 1/min }]\n' "$@"; }
policy secret http_authorization 'Bearer ' > secret.yaml
policy plain path / > plain.yaml
weir compare secret.yaml plain.yaml --log c.log --no-store --nodes by:team --clients fixed --who team --json > r
grep -c '"key-[0-9a-f]*"' r
grep -c '"p1ain\|s3cret' r || true
weir replay secret.yaml c.log --db x --nodes by:team --clients fixed --who team --quiet > /dev/null
weir replay plain.yaml c.log --db x --nodes by:team --clients fixed --who team --quiet > /dev/null
weir compare 1 2 --db x --by team --json > r
weir report 1 2 --db x --by team --format json --show-keys >> r
weir compare 2 1 --db x --by team --json >> r
grep -c '"key-[0-9a-f]*"' r
grep -c '"p1ain\|s3cret' r || true
