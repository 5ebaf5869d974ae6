weir test --set search.rate=3/2min limits.yaml failing.scn | tail -n 1
