weir help >&-
