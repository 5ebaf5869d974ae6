cat > signs.yaml <<'P'
weir: 1
name: signs
tiers:
  edge:
    - name: a
      key: [api_key]
      rate: 90/min
      algorithm: sliding_window_log
    - name: a=b
      key: [api_key]
      rate: 20/min
      algorithm: sliding_window_log
      overrides: [{ name: pro, match: { api_key: k-pro }, rate: 30/min }]
    - { name: $(touch it) here, key: [client_ip], rate: 2/min, algorithm: fixed_window }
P
weir replay signs.yaml day.jsonl -q > r
weir explain 1 --key a=b=k-free | head -3
weir explain 1 --key '$(touch it) here=192.0.2.4' | grep -- --set
weir compare signs.yaml --set a.rate=80/min --log day.jsonl --no-store --fail-if 'rule("nosuch").rejected > 1'
weir diff signs.yaml signs.yaml
weir sweep signs.yaml day.jsonl --vary a=b.rate=10/min,40/min | head -5
