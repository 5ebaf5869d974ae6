weir replay next.yaml day.jsonl -q > /dev/null; weir explain 1 --headers githb; echo $?; weir explain 1 --headers 08; echo $?; weir explain 1 --headers 10 --key search=k-free; echo $?
