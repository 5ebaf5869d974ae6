weir set limits.yaml search.rate=20/min free-plan.burst= free-plan.match.path="/**" --diff && cat limits.yaml
