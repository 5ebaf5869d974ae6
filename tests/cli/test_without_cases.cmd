weir test limits.yaml
