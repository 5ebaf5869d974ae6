printf "what is this\nand that\n" > odd.log; weir replay now.yaml odd.log --no-store
