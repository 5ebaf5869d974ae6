weir check --format jsno limits.yaml
