weir new --help
