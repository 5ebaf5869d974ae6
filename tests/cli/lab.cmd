weir lab
