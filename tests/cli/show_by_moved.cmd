cp day.jsonl d.jsonl; weir replay now.yaml d.jsonl -q >/dev/null; mv d.jsonl e.jsonl; weir show 1 --by plan; weir show 1 --by plan --recording e.jsonl | grep -A 3 '^  plan'
