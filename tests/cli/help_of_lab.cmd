weir lab --help
