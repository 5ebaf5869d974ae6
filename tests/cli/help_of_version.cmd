weir version --help
