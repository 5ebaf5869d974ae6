weir diff limits.yaml
