weir diff --json limits.yaml candidate.yaml
