printf 'weir: 1\nname: p\ntiers:\n  edge:\n    - { name: r, key: [], algorithm: gcra, rate: 1/s, burst: 2 }\n' > p.yaml
printf 'cases: 1\npolicy: p.yaml\ntests:\n  - name: t\n    steps:\n      - { path: /a, times: 4, every: 0.1s, expect: { admitted next_after 9s full_after 9s: 4 } }\n      - { path: /a, times: 2, at: 9s, expect: [ # both\n          admitted, rejected ] }\n' > t.cases.yaml
weir test t.cases.yaml --update; tail -3 t.cases.yaml; weir test t.cases.yaml; weir test - < t.cases.yaml; weir test --update - < t.cases.yaml
printf 'cases: 1\npolicy: p.yaml\ntests:\n  - steps:\n      - { path: /a, at: 9223372036s, expect: admitted }\n      - { path: /a, at: +5s, expect: admitted }\n' | weir test -
