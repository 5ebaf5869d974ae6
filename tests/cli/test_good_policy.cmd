weir test limits.yaml good.scn good.scn
