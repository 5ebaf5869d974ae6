weir show 1 --db now.yaml
