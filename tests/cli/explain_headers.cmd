weir replay next.yaml day.jsonl -q > /dev/null; for form in 07 github draft03 kong none; do weir explain 1 --headers $form | sed -n '/^told/,/Content-Type/p'; done
