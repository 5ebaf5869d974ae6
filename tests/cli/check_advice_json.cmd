weir check --json risky.yaml
