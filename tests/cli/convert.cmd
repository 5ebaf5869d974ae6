weir convert day.jsonl -o n.jsonl && head -2 n.jsonl && weir convert n.jsonl | cmp - n.jsonl && echo same
