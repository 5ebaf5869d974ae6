weir set wrong.yaml name=other --diff
