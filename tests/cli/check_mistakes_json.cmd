weir check --json wrong.yaml
