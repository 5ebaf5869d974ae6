# SIGTERM comes once weir catches it (its bit in SigCgt), however long that takes; who writes to the pipes is silent.
stop() {
until [ -e pid ]; do sleep 0.05; done
read -r pid < pid
until grep -q '^SigCgt:.*[4567cdef]...$' "/proc/$pid/status"; do
[ -e "/proc/$pid" ] || return; sleep 0.05
done
sleep 0.3; kill -TERM "$pid"; sleep 5; kill -KILL "$pid"
}
stopped() {
rm -f pid; stop > /dev/null 2>&1 & stopper=$!
sh -c 'echo $$ > pid.new; mv pid.new pid; exec weir "$@"' sh "$@" --quiet 2>&1; echo "status $?"; kill $stopper
}
mkfifo pipe pipe.clients.yaml pipe.cases.yaml; rm plans.csv; mkfifo plans.csv
silent=
for pipe in pipe pipe.clients.yaml pipe.cases.yaml plans.csv; do sleep 120 > $pipe & silent="$silent $!"; done
stopped check now.yaml --clients pipe.clients.yaml
stopped replay now.yaml day.jsonl --no-store --clients pipe.clients.yaml
stopped test now.yaml pipe.cases.yaml
stopped convert day.jsonl --mask api_key --mask-key pipe
stopped compare now.yaml limits.yaml --log day.jsonl --no-store --format markdown --mask-key pipe
stopped check reviewed.yaml
stopped set pipe search.rate=1/min
stopped set reviewed.yaml search.rate=1/min
kill $silent
