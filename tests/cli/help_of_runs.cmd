weir runs --help
