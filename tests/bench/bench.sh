#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures `weir replay` (Release) beside what else is installed that reads logs, turn by turn, and
# prints one JSON document. Logs are made once and kept in build/bench.
# usage: tests/bench/bench.sh [LINES [CLIENTS [ROUNDS [ROW...]]]]
#        rows: combined json gz threads store rule keys growth rate suggest sweep (default: all)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
lines=${1:-5000000}
clients=${2:-200000}
rounds=${3:-5}
shift $(($# < 3 ? $# : 3))
rows=("$@")
[ ${#rows[@]} -gt 0 ] || rows=(combined json gz threads store rule keys growth rate suggest sweep)
format='$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $request_time'
few=2000
rate=20000

if [ -z "${WEIR_BENCH_BUILT:-}" ]; then
    cmake --preset release -DWEIR_TESTS=OFF
    cmake --build build/release --target weir bench_replay make_access_log
fi >&2
bin=build/release/tests/bench
weir=build/release/app/weir
dir=build/bench
policy=tests/bench/four_tiers.yaml
store=$dir/bench.db
mkdir -p "$dir"

# made KIND LINES CLIENTS [SECONDS]: the path of a log, which is made where it is missing.
made() {
    local path=$dir/$1-$2-$3${4:+-$4}.log
    if [ ! -s "$path" ]; then
        "$bin/make_access_log" "$2" "$3" 1 "$1" "${4:-86400}" >"$path.part"
        mv "$path.part" "$path"
    fi
    echo "$path"
}

# The words that replay a log of nginx combined + $request_time.
replay=("$weir" replay "$policy")
options=(--log-format "$format" --db "$store" --quiet --no-progress)
bench() { "$bin/bench_replay" "$@"; }

missing=()
has() { command -v "$1" >/dev/null || { missing+=("$1"); return 1; }; }

row() {
    local log more=()
    case $1 in
    combined)
        log=$(made combined "$lines" "$clients")
        if has goaccess; then
            more+=(--run goaccess goaccess "$log" -o "$dir/goaccess.json" --no-progress
                --log-format '%h %^ %e [%d:%t %^] "%r" %s %b "%R" "%u" %T' --date-format '%d/%b/%Y' --time-format '%T' \;)
        fi
        if has duckdb; then
            more+=(--run duckdb duckdb -c "SELECT column00, count(*) FROM read_csv('$log', delim=' ', header=false, all_varchar=true, ignore_errors=true) GROUP BY 1" \;)
        fi
        bench combined "$rounds" "$lines" --fresh "$store" --run weir "${replay[@]}" "$log" "${options[@]}" \; \
            --run wc wc -l "$log" \; "${more[@]}"
        ;;
    json)
        log=$(made json "$lines" "$clients")
        bench json "$rounds" "$lines" --fresh "$store" \
            --run weir "${replay[@]}" "$log" --db "$store" --quiet --no-progress \; --run wc wc -l "$log" \;
        ;;
    gz)
        log=$(made combined "$lines" "$clients")
        [ -s "$log.gz" ] || gzip -k -6 "$log"
        bench gz "$rounds" "$lines" --fresh "$store" \
            --run weir "${replay[@]}" "$log.gz" "${options[@]}" \; --run gzip gzip -dc "$log.gz" \;
        ;;
    threads)
        log=$(made combined "$lines" "$clients")
        bench threads "$rounds" "$lines" --fresh "$store" \
            --run one "${replay[@]}" "$log" "${options[@]}" --jobs 1 \; \
            --run two "${replay[@]}" "$log" "${options[@]}" --jobs 2 \;
        ;;
    store)
        log=$(made combined "$lines" "$clients")
        bench store "$rounds" "$lines" --fresh "$store" \
            --run stored "${replay[@]}" "$log" "${options[@]}" --jobs 1 \; \
            --run without "${replay[@]}" "$log" "${options[@]}" --jobs 1 --no-store \;
        ;;
    rule) # one more rule on a key that another uses
        log=$(made combined "$lines" "$clients")
        sed 's/^  gateway:/&\n    - name: address-hour\n      key: [client_ip]\n      algorithm: fixed_window\n      rate: 100000\/h/' \
            "$policy" >"$dir/five.yaml"
        bench rule "$rounds" "$lines" --fresh "$store" \
            --run five "$weir" replay "$dir/five.yaml" "$log" "${options[@]}" --jobs 1 \; \
            --run four "${replay[@]}" "$log" "${options[@]}" --jobs 1 \;
        ;;
    keys)
        bench keys "$rounds" "$lines" --fresh "$store" \
            --run many "${replay[@]}" "$(made combined "$lines" "$clients")" "${options[@]}" \; \
            --run few "${replay[@]}" "$(made combined "$lines" $few)" "${options[@]}" \;
        ;;
    growth)
        bench growth "$rounds" "$lines" --fresh "$store" \
            --run all "${replay[@]}" "$(made combined "$lines" "$clients")" "${options[@]}" \; \
            --run "tenth/$((lines / 10))" "${replay[@]}" "$(made combined $((lines / 10)) "$clients")" "${options[@]}" \;
        ;;
    rate)
        bench rate "$rounds" "$lines" --fresh "$store" \
            --run fast "${replay[@]}" "$(made combined "$lines" "$clients" $((lines / rate + 1)))" "${options[@]}" \; \
            --run slow "${replay[@]}" "$(made combined "$lines" "$clients")" "${options[@]}" \;
        ;;
    suggest) # two keys and three windows beside a plain replay
        log=$(made combined "$lines" "$clients")
        bench suggest "$rounds" "$lines" --fresh "$store" \
            --run suggest "$weir" suggest "$log" "${options[@]}" --policy "$policy" --key client_ip --key network --window 1s,1min,1h \; \
            --run replay "${replay[@]}" "$log" "${options[@]}" \;
        ;;
    sweep) # ten values beside a plain replay: of a window, and of a bucket's rate
        log=$(made combined "$lines" "$clients")
        bench sweep "$rounds" "$lines" --fresh "$store" \
            --run window "$weir" sweep "$policy" "$log" "${options[@]}" --vary per-address.rate=100/min,200/min,300/min,400/min,500/min,600/min,700/min,800/min,900/min,1000/min \; \
            --run rate "$weir" sweep "$policy" "$log" "${options[@]}" --vary address-burst.rate=1/s,2/s,3/s,5/s,8/s,10/s,15/s,20/s,30/s,50/s \; \
            --run replay "${replay[@]}" "$log" "${options[@]}" \;
        ;;
    *)
        echo "bench.sh: no row is called $1" >&2
        exit 2
        ;;
    esac
}

results=()
for name in "${rows[@]}"; do
    row "$name" >"$dir/row.json"
    results+=("$(cat "$dir/row.json")")
done
rm -f "$store" "$store-wal" "$store-shm" "$dir/row.json"
printf '{"bench": "replay", "lines": %s, "clients": %s, "processors": %s, "not_installed": [' \
    "$lines" "$clients" "$(nproc)"
separator=
for name in "${missing[@]}"; do
    printf '%s"%s"' "$separator" "$name"
    separator=', '
done
printf '],\n"rows": [\n'
separator=
for result in "${results[@]}"; do
    printf '%s%s' "$separator" "$result"
    separator=$',\n'
done
printf '\n]}\n'
