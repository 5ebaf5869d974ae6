weir check limits.yaml --tz UTC
