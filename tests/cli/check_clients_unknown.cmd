weir check limits.yaml --clients fixd
