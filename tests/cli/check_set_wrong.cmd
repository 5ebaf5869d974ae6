weir check --set search.rate=20/mon limits.yaml
