weir sweep now.yaml day.jsonl --vary 'search.key=[client_ip],[]' --format csv
