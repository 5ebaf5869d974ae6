mkfifo out; (head -1 < out > first) & weir convert day.jsonl -o out; wait; test -p out && head -c 30 first
