weir set limits.yaml
