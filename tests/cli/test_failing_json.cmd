weir test --json limits.yaml failing.scn
