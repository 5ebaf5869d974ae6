weir check no-lookup.yaml
