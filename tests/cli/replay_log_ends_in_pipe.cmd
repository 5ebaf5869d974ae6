sh -c 'head -20 day.jsonl; exit 1' | weir replay now.yaml - --no-store | sed -n 6,8p
