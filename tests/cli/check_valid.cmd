weir check limits.yaml candidate.yaml
