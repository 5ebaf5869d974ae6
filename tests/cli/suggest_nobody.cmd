weir suggest day.jsonl --key client_ip --window 1min --protect pth=/search --who plna
weir suggest day.jsonl --key client_ip --window 1min --rate 1/s --stop 'pth=/search and path=/x' --json | grep 'asks for'
weir suggest day.jsonl --key client_ip --rate 1/s --json | grep -A6 '"exact": false'
