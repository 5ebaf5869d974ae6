weir compare --help
