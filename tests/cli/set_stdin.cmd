weir set - search.rate=20/min < limits.yaml | tail -3
