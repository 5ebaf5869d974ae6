weir explain --help
