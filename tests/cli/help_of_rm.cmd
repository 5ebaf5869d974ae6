weir rm --help
