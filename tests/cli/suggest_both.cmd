for i in $(seq 1 40); do echo "{\"time_ns\": $((1700000000 + i))000000000, \"client_ip\": \"192.0.2.1\", \"path\": \"/login\", \"api_key\": \"k$((i % 4))\", \"plan: x\": \"p$((i % 3))\"}"; done > both.jsonl
weir suggest both.jsonl --key api_key --window 10s --stop path=/login --protect 'api_key=[k2, k3]' --json | grep -E "\"(to_)?stop\": "
weir suggest both.jsonl --key "plan: x" --window 10s | grep "name: "
