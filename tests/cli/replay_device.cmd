weir replay now.yaml /dev/null --no-store
