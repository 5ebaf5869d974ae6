weir lab counter-against-log --requests 20000 --sources 50 --rate 100/s --limit 10/s --seed 3 --json
