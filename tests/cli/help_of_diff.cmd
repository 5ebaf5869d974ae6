weir diff --help
