mkfifo pipe.clients.yaml
given() { cat sdk.clients.yaml > pipe.clients.yaml & "$@" --clients pipe.clients.yaml; wait; }
given weir check now.yaml --quiet
given weir check now.yaml --log day.jsonl --quiet
given weir replay now.yaml day.jsonl --no-store | sed -n '/^  behaviour/,/^$/p'
given weir compare now.yaml limits.yaml --log day.jsonl --no-store --quiet | head -3
