mkfifo pipe; weir replay now.yaml pipe --no-store
