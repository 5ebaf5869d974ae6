weir test failing.cases.yaml --format json
