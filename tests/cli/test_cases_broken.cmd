weir test broken.cases.yaml
