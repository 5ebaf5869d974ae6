weir diff limits.yaml candidate.yaml limits.yaml
