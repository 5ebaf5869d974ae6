weir sweep now.yaml day.jsonl; weir sweep now.yaml day.jsonl --vary search.rate; weir sweep now.yaml day.jsonl --vary serch.rate=1/s; weir sweep now.yaml day.jsonl --vary search.rate=1/s,fast
