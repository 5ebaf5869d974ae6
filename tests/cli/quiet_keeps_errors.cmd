weir diff --quiet nowhere.yaml limits.yaml
