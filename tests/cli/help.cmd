weir help
