weir check --mode serach=off limits.yaml
