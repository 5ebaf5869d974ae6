said() { "$@" > out; echo "status $?, $(wc -c < out) bytes"; }
said weir new day.jsonl --from day.jsonl
ln -s day.jsonl linked.jsonl; said weir new day.jsonl --from linked.jsonl
said weir new limits.yaml --from day.jsonl
head -c 30 limits.yaml
