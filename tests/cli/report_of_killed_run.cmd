mkfifo pipe
{ while cat day.jsonl 2>/dev/null; do :; done; } > pipe &
{ until weir runs 2>/dev/null | grep -q running || [ -e ended ]; do sleep 0.05; done; kill -KILL "$(cat pid)"; } &
sh -c 'echo $$ > pid; exec weir replay now.yaml - -q' < pipe 2>/dev/null; echo "status $?"
touch ended; wait
weir report 1 --format markdown
weir report 1 | grep -c '<h1>'
weir report 1 --format markdown --by plan; echo "status $?"
