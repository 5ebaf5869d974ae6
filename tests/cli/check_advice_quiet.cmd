weir check --quiet risky.yaml
