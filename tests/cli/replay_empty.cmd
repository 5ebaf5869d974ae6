: > empty.log; weir replay now.yaml empty.log --no-store | sed -n 1,9p
