weir diff limits.yaml reviewed.yaml
