weir check --format github risky.yaml limits.yaml wrong.yaml missing.yaml
