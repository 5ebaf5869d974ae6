weir check nowhere.yaml
