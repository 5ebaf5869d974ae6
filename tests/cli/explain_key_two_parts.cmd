cat > two.yaml <<'P'
weir: 1
name: two
tiers:
  edge:
    - { name: per-path, key: [api_key, path], rate: 2/min, algorithm: gcra, tolerance: 1s }
P
weir replay two.yaml day.jsonl -q > /dev/null
key=$(weir show 1 --top 1 | sed -n '/most denied keys/{n;s/^ *\(.*[^ ]\)  *per-path.*/\1/p}')
echo "$key"
weir explain 1 --key "per-path=$key"
weir explain 1 --key "per-path=$(echo "$key" | sed 's/, /,/')" | head -1
weir explain 1 --key "pre-path=$key"
weir explain 1 --key "x=$key"
weir show 1 --top 2 --by api_key | grep -B1 'more (--top'
