weir test limits.yaml broken.scn
