weir compare --log day.jsonl now.yaml next.yaml --no-store --by plan,method --fail-if 'newly_rejected_keys[plan=pro] > 0'
