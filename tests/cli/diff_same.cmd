weir diff limits.yaml limits.yaml
