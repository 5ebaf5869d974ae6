weir generate burst -o a.jsonl
weir generate burst -o a.jsonl.gz -q
weir generate burst -o a.jsonl.zst -q
gzip -dc a.jsonl.gz | cmp - a.jsonl && echo same
weir convert a.jsonl.zst -q | cmp - a.jsonl && echo same
weir generate burst -o a.jsonl.xz
weir generate burst -o - --count 1 | cut -c 1-32
