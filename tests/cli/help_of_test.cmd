weir test --help
