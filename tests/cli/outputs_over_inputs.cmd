cat > d.logs.yaml <<X
logs: 1
groups: [{ files: [day.jsonl] }]
X
echo day.jsonl > list
said() { "$@" > /dev/null; echo "status $?"; }
said weir convert day.jsonl --for limits.yaml -o limits.yaml
said weir convert day.jsonl --for limits.yaml --rejects limits.yaml
said weir convert day.jsonl --for limits.yaml -o plans.csv
said weir convert d.logs.yaml -o d.logs.yaml
said weir convert --files-from list -o list
said weir convert - -o day.jsonl < day.jsonl
said weir replay limits.yaml d.logs.yaml --decisions d.logs.yaml --no-store
said weir replay limits.yaml --files-from list --decisions list --no-store
said weir inspect d.logs.yaml --rejects d.logs.yaml
said weir convert day.jsonl -o out --rejects out
ls out
weir convert day.jsonl -o /dev/null --rejects /dev/null -q; echo "status $?"
