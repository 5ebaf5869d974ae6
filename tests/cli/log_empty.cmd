: > empty.log
weir inspect empty.log; echo "status $?"
weir convert empty.log; echo "status $?"
weir replay limits.yaml day.jsonl empty.log --no-store | head -n 2; echo "status $?"
