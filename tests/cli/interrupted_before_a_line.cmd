# SIGINT comes once weir catches it (its bit in SigCgt) and a file is there, however long that takes.
stop_at() {
until [ -e pid ]; do sleep 0.05; done
read -r pid < pid
until [ -e "$1" ] && grep -q '^SigCgt:.*[2367abef]$' "/proc/$pid/status"; do
[ -e "/proc/$pid" ] || return; sleep 0.05
done
sleep 0.5; kill -INT "$pid"
}
stopped() {
rm -f pid; stop_at "$1" & shift
sh -c 'echo $$ > pid.new; mv pid.new pid; exec weir "$@"' sh "$@" < pipe; echo "status $?"
}
mkfifo pipe; sleep 120 > pipe & sleeper=$!
for verb in convert inspect 'replay limits.yaml --no-store'; do
stopped pipe $verb -
stopped pipe $verb --files-from -
done
stopped pipe check -
kill $sleeper
# More than a pipe holds: most of it has been read once all of it is written.
{ cat day.jsonl day.jsonl day.jsonl day.jsonl day.jsonl; touch written; exec sleep 120; } > pipe & sleeper=$!
stopped written convert - -o out.jsonl 2>&1 | grep -A1 'interrupted\|status'
ls out.jsonl
kill $sleeper
