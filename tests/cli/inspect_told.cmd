printf 'logs: 1\ngroups:\n  - { files: day.jsonl, log_format: weir }\n' > told.logs.yaml; : > empty.log; printf '\n\n' > blank.log
weir inspect told.logs.yaml | head -2
weir inspect day.jsonl --log-format weir | head -1
weir inspect empty.log 2>&1 | head -1; weir inspect blank.log | head -1
