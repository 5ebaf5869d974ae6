weir new made.yaml && weir check made.yaml
