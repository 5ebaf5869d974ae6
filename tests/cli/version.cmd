weir version
weir --version
