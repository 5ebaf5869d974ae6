weir set limits.yaml search.rate=20/min free-plan.burst=70 --json
