weir check risky.yaml
