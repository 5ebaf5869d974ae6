weir check limits.yaml --clients fixed
