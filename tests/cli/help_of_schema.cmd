weir schema --help
