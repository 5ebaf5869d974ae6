printf 'weir: 1\nname: s\ntiers:\n  edge:\n    - { name: slots, key: [api_key], algorithm: concurrency, in_flight: 2 }\n    - { name: rate, key: [api_key], algorithm: fixed_window, rate: 9/min }\n' > s.yaml
for i in 0 1 2 3 4 5; do printf '{"time_ns": %s00000000, "duration_ns": 9000000000, "api_key": "a"}\n' 1$i; done > six.jsonl
for skew in 0s 50ms; do weir replay s.yaml six.jsonl --no-store --nodes 2 --state local --simulate-skew $skew --json | sed -n '/most_admitted/,/^  \]/p'; done
