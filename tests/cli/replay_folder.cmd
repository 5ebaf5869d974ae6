weir replay now.yaml . --no-store
