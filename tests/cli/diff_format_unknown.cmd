weir diff limits.yaml reviewed.yaml --format html
