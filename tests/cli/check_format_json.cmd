weir check --format json limits.yaml
