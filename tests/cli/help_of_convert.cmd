weir convert --help
