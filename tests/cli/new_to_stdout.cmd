weir new > made.yaml && weir check made.yaml && head -n 3 made.yaml
