weir replay --help
