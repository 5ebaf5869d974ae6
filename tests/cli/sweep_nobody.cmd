for i in 1 1 1 2 2 3 3; do echo '{"time_ns": 1700000031000000000, "client_ip": "192.0.2.'$i'", "api_key": "k'$i'"}'; done > some.jsonl
for i in 1 2; do echo '{"time_ns": 1700000031000000000, "client_ip": "192.0.2.9"}'; done >> some.jsonl
cat > p.yaml <<X
weir: 1
name: p
tiers:
  edge: [{ name: per, key: [client_ip], algorithm: fixed_window, rate: 9/min }]
X
weir sweep p.yaml some.jsonl --vary per.rate=1/min --who api_key
weir compare p.yaml --set per.rate=1/min --log some.jsonl --who api_key --no-store | grep 'newly rejected  '
weir sweep p.yaml some.jsonl --vary per.key='[pth]' --who nobody
