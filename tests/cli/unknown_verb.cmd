weir chekc limits.yaml
