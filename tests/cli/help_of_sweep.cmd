weir sweep --help
