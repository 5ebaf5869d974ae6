weir check --set serach.rate=20/min limits.yaml
