cat > none.yaml <<'P'
weir: 1
name: none
tiers:
  edge:
    - { name: closed, key: [api_key], rate: 0/min, burst: 3, algorithm: token_bucket }
P
weir replay none.yaml day.jsonl -q > /dev/null; weir explain 1 --key closed=k-free
