weir test limits.yaml failing.scn
