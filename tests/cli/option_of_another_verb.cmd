weir diff --strict limits.yaml candidate.yaml
