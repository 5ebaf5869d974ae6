cat > hostile.yaml <<'P'
weir: 1
name: hostile
tiers:
  edge:
    - { name: "say \"hi\" \\ to", key: [client_ip], algorithm: fixed_window, rate: 20/10s }
    - { name: "caf\u00e9 \u202e\x1b[31m", key: [], algorithm: concurrency, in_flight: 1, assume_duration: 1min, status: 503 }
P
weir replay hostile.yaml day.jsonl -q > /dev/null; weir explain 1 | sed -n '/^told/,$p'; weir explain 1 --json -q | sed -n '/"headers"/,$p'; weir explain 1 --headers 07 2>&1 | sed -n '/^weir/,/^ *help/p;/^told/,/Content-Type/p'
