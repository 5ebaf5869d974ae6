long=$(head -c 300 /dev/zero | tr '\0' a)
weir convert day.jsonl --db "b$long" -o "$long" 2>&1 | sed 's/aaaa*/LONG/'
