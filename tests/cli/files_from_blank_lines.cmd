printf '\357\273\277day.jsonl\n  \n\t\n' > list; weir convert --files-from list -q | wc -l
