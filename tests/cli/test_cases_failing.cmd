weir test failing.cases.yaml
