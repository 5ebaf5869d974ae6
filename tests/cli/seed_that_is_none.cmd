weir check limits.yaml --seed -1
