weir diff limits.yaml wrong.yaml
