weir --quiet check limits.yaml
