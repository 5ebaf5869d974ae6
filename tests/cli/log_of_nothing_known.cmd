head -c 5000000 /dev/zero | tr '\0' a > long.log
weir inspect long.log; echo "status $?"
weir replay limits.yaml day.jsonl long.log --no-store -q | head -n 3
weir convert long.log; echo "status $?"
