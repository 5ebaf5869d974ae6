weir diff limits.yaml reviewed.yaml --format markdown; weir diff limits.yaml limits.yaml --format markdown
