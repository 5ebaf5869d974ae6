weir set limits.yaml serch.rate=1/s
