weir diff limits.yaml candidate.yaml
