sed 's/rate: 30.min/rate: 3000\/min/; s/burst: 4/burst: 400/' now.yaml > wide.yaml; weir replay wide.yaml day.jsonl --db runs.db > /dev/null; weir explain 1 --db runs.db | head -1
