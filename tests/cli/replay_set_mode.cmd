weir replay now.yaml day.jsonl --no-store --set search.rate=6/min --mode login=enforce --mode per-address=off | sed -n 6,15p
