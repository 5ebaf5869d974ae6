for i in $(seq 3000); do echo "{\"time_ns\": $((1700000000 + i))000000000, \"client_ip\": \"192.0.2.1\"}"; done > host1.jsonl
for i in $(seq 2 60); do cp host1.jsonl host$i.jsonl; done
ulimit -Sn 40; weir inspect host*.jsonl --json | grep -E '"(requests|late)": ' | head -2
