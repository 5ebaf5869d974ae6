weir suggest --help
