weir compare --log day.jsonl now.yaml next.yaml --no-store -q --by plan,client_ip --top 3 --format markdown --fail-if 'newly_rejected_keys[plan=pro] > 0'
