mkdir folder
weir check folder
