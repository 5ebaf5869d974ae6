weir test wrong.yaml good.scn
