cat > keys.yaml <<'P'
weir: 1
name: keys
attributes:
  api_key: { from: query, param: api_key }
  acct: { from: email, pattern: "{acct}@x.test" }
tiers:
  edge:
    - { name: per-key, key: [api_key], rate: 1/min, algorithm: fixed_window }
    - { name: per-acct, key: [acct], rate: 1/min, algorithm: fixed_window, mode: shadow }
P
for i in 1 2 3; do echo '{"time_ns": 1700000000000000000, "path": "/a", "status": 200, "query": "api_key=s3cret", "email": "s3cret@x.test"}'; done > keys.jsonl
weir replay keys.yaml keys.jsonl --map email=email -q > /dev/null
weir report 1 --format markdown --by query,email,acct,path | sed -n '/#### By/,/^$/p; /^| `/p'
for format in markdown html; do weir report 1 --format $format --by query,email,acct | grep -c s3cret; done
weir compare recorded 1 --format markdown --by query,email | grep -c s3cret
weir report 1 --format html --show-keys --by query | grep -c s3cret
