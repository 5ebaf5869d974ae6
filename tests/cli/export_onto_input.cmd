ln -s limits.yaml link.yaml
weir export limits.yaml -o link.yaml; echo "status $?"
weir export limits.yaml -o plans.csv; echo "status $?"
head -n 1 limits.yaml plans.csv
