weir check limits.yaml --clients sdk.clients.yaml --strict --format github
