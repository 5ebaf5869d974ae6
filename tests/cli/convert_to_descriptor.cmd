weir convert day.jsonl -q > plain
weir convert day.jsonl -q -o /dev/stdout | cmp - plain && echo same
weir convert day.jsonl -q -o /dev/fd/3 3>&1 >/dev/null | cmp - plain && echo same
weir convert day.jsonl -q -o /dev/stdout | head -n 1 | cut -c 1-20
weir export limits.yaml -o /dev/stdout | head -n 1
