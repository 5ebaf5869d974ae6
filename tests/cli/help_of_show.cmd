weir show --help
