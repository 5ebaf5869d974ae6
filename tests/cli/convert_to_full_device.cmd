weir convert day.jsonl -o /dev/full; echo $?; test -c /dev/full && echo still there
