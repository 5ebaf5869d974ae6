weir lab fixed-window; weir lab iii | head -n 3
