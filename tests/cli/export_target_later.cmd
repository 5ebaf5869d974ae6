weir export limits.yaml --to nginx
