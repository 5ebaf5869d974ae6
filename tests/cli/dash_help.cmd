weir --help
