weir convert day.jsonl -o a.jsonl
weir convert day.jsonl -o a.jsonl.gz -q
weir convert day.jsonl -o a.jsonl.zst -q
gzip -dc a.jsonl.gz | cmp - a.jsonl && echo same
weir convert a.jsonl.zst -o b.jsonl -q && cmp b.jsonl a.jsonl && echo same
weir convert day.jsonl -o a.jsonl.xz
