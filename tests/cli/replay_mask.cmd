weir replay now.yaml day.jsonl --mask api_key,client_ip --mask-key day.jsonl --db x --no-color | sed -n '/most rejected/,/^$/p'
for secret in k-free 192.0.2.4; do printf 'weir show: %s, store: %s\n' $(weir show 1 --db x --json | grep -c $secret) $(grep -ac $secret x); done
weir replay now.yaml day.jsonl --db y --quiet > r
weir explain 1 --db x --key per-address=192.0.2.4 > a; weir explain 1 --db y --key per-address=192.0.2.4 > b; cmp a b && echo same
weir replay now.yaml day.jsonl --mask api_key --db x > r
weir replay now.yaml day.jsonl --mask api_kay --db x
weir replay now.yaml day.jsonl --mask , --db x
weir compare 1 recorded --mask api_key --db x
