weir help --help
