weir replay limits.yaml day.jsonl --no-store --where nosuch=1 | grep nosuch
weir replay limits.yaml day.jsonl --no-store --recorded-rejection nosuch=1 | grep nosuch
weir convert day.jsonl --where nosuch=1
weir convert day.jsonl --where status=200 -q | wc -l
