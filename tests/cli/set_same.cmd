weir set limits.yaml search.rate=2/60s; weir set limits.yaml search.rate=2/60s --diff
