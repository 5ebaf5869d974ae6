weir diff nowhere.yaml wrong.yaml
