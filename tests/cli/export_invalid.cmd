weir export wrong.yaml
