weir check --help
