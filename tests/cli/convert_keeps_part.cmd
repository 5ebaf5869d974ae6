cp day.jsonl n.jsonl.part; weir convert n.jsonl.part -o n.jsonl --quiet; cmp day.jsonl n.jsonl.part && ls n.jsonl*
