weir check --strickt limits.yaml
