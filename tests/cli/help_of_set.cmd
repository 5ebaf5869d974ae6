weir set --help
