head -9 day.jsonl > 'a log'
tail -n +10 day.jsonl > b.jsonl
printf 'a log\0b.jsonl\0' | weir replay now.yaml --files-from - --no-store | sed -n 2,9p
printf '\n' > none; weir replay now.yaml --files-from none --no-store; echo $?
weir replay now.yaml; echo $?
