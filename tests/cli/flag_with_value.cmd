weir check limits.yaml --json=yes
