weir inspect --help
