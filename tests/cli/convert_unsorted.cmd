tac day.jsonl > back.jsonl; weir convert back.jsonl --unsorted 2> /dev/null | head -1; weir convert back.jsonl 2> /dev/null | head -1
