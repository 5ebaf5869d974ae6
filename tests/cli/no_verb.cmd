weir
