mkfifo pipe; sleep 20 > pipe & sleeper=$!
for verb in convert inspect 'replay limits.yaml --no-store'; do
timeout --preserve-status -s INT 1 weir $verb - < pipe; echo "status $?"
timeout --preserve-status -s INT 1 weir $verb --files-from - < pipe; echo "status $?"
done
timeout --preserve-status -s INT 1 weir check - < pipe; echo "status $?"
kill $sleeper
{ cat day.jsonl; sleep 20; } > pipe & sleeper=$!
timeout --preserve-status -s INT 2 weir convert - -o out.jsonl < pipe; echo "status $?"
ls out.jsonl
kill $sleeper
