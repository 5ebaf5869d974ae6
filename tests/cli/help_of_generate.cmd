weir generate --help
