profile() { printf 'clients: 1\nclient: api_key\nbehaviours:\n  - { name: all, share: 70%%, attempts: 2, wait: 1s }\n  - { name: "%s", share: 30%%, attempts: 3, wait: 1s }\n' "$1"; }
profile other > two.clients.yaml; profile '' > nameless.clients.yaml
weir replay limits.yaml day.jsonl --clients two.clients.yaml --quiet > /dev/null 2>&1
weir show 1 --quiet | sed -n '/^  behaviour/,/^$/p'
weir report 1 --format csv --quiet | grep '^clients,' | sed 's/,,*/,/g'
weir report 1 --format markdown --quiet | grep -A5 '^| behaviour'
weir check limits.yaml --clients nameless.clients.yaml --quiet
