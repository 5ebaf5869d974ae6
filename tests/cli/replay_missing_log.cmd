weir replay now.yaml nowhere.log --no-store
