weir export limits.yaml -o one.yaml && weir export one.yaml -o two.yaml && cmp one.yaml two.yaml && weir diff limits.yaml two.yaml
