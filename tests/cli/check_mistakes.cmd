weir check limits.yaml wrong.yaml
