weir export limits.yaml -o nowhere/out.yaml
