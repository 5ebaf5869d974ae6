weir test limits.cases.yaml && weir test limits.yaml limits.cases.yaml good.scn
