weir export limits.yaml | tail -n +2
