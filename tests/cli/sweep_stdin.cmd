weir sweep - day.jsonl --vary search.burst=1,2 < now.yaml
weir compare - --set search.burst=1 --log day.jsonl --no-store < now.yaml | head -8
weir sweep - day.jsonl --vary search.burst=1 < /dev/null
