weir version --json
