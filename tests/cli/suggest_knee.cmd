for i in $(seq 1 30); do printf '{"time_ns": 17000000%02d000000000, "client_ip": "192.0.2.%s"}\n' $i $i; done > few.jsonl
for i in $(seq 1 12); do echo '{"time_ns": 1700000031000000000, "client_ip": "203.0.113.7"}'; done >> few.jsonl
weir suggest few.jsonl --key client_ip --window 1h --rate 1/h
