weir check --set search.rate=20/min --mode all=shadow limits.yaml
