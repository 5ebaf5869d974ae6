cat > p.yaml <<X
weir: 1
name: p
attributes:
  plan: { from: api_key, lookup: plans.csv }
  shard: { from: tenant_header, pattern: "{shard}-7" }
tiers:
  edge: [{ name: per, key: [client_ip], algorithm: fixed_window, rate: 1/min }]
X
printf 'api_key,plan\nk-pro,pro\n' > plans.csv
printf '{"time_ns": 1700000000000000000, "client_ip": "192.0.2.1", "api_key": "k-pro", "tenant_header": "eu-7", "path": "/a", "agent": "x", "status": 200}\n{"time_ns": 1700000001000000000, "client_ip": "192.0.2.1", "api_key": "k-pro", "tenant_header": "eu-7", "path": "/a", "agent": "x", "status": 200}\n' > a.jsonl
weir convert a.jsonl --for p.yaml --mask api_key -q | tee f.jsonl
weir replay p.yaml f.jsonl --no-store -q --fail-if 'rejected[plan=pro] > 0' | grep Gate
weir replay p.yaml f.jsonl --no-store -q --fail-if 'rejected[shard=eu] > 0' | grep Gate
