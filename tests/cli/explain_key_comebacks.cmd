printf 'weir: 1\nname: two\ntiers:\n  edge:\n    - { name: total, key: [], algorithm: fixed_window, rate: 9/min }\n  gateway:\n    - { name: a, match: { path: /a }, key: [api_key], algorithm: fixed_window, rate: 1/h }\n    - { name: b, match: { path: /b }, key: [api_key], algorithm: fixed_window, rate: 1/h }\n' > two.yaml
for path in /a /a /b /b /b /b /b /b; do printf '{"time_ns": 0, "api_key": "k1", "path": "%s"}\n' $path; done > eight.jsonl
weir replay two.yaml eight.jsonl --clients fixed --quiet > /dev/null
for rule in a b; do weir explain 1 --key $rule=k1 | grep 'came again'; weir explain 1 --key $rule=k1 --json | sed -n '/comebacks/,/}/p'; done
