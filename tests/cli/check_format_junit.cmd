weir check --format junit risky.yaml limits.yaml wrong.yaml missing.yaml
