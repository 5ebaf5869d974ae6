printf 'weir: 1\nname: twice\ntiers:\n  edge:\n    - { name: fixed, mode: shadow, key: [api_key], algorithm: fixed_window, rate: 100/min }\n    - { name: log, mode: shadow, key: [api_key], algorithm: sliding_window_log, rate: 100/min }\n' > twice.yaml
weir generate boundary --burst 100 --duration 2min | weir replay twice.yaml - --no-store -q
