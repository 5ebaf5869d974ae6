weir test limits.yaml good.scn --update
