weir check --format sarif limits.yaml
