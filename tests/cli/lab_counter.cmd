weir lab counter-against-log
