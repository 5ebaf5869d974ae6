weir check --strict risky.yaml limits.yaml
