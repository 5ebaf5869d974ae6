printf 'weir: 1\nname: p\ntiers:\n  edge:\n    - name: a\n      key: # whom\n        # the caller\n        - api_key # its key\n      algorithm: gcra\n      rate: 1/s\n      burst: 2\n' > c.yaml
weir set c.yaml 'a.key=[user]' --diff; printf 'weir: 1\nname: [\n' > bad.yaml; weir set bad.yaml a.rate=1/s
