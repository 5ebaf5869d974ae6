weir check --format sarif risky.yaml limits.yaml wrong.yaml missing.yaml
