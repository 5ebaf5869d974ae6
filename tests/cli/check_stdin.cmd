weir check - < limits.yaml
