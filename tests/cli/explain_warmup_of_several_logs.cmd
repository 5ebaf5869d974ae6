for log in 1 2; do awk -v s=$log 'BEGIN { for (i = 0; i < 400; ++i) { s = (s * 16807) % 2147483647; t += 1 + s % 39; printf "{\"time_ns\": %d000000, \"api_key\": \"k\"}\n", t } }' > $log.jsonl; done
printf 'weir: 1\nname: w\ntiers:\n  edge:\n    - { name: r, key: [api_key], algorithm: fixed_window, rate: 1/10s }\n' > w.yaml
weir replay w.yaml 1.jsonl 2.jsonl --warmup 4s --quiet > /dev/null
for n in 3 4 5 6 403 404 405 406; do weir explain 1 --request $n | head -1; done
