weir sweep now.yaml day.jsonl --vary search.burst=1,2,4,8
