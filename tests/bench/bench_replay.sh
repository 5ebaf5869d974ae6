#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Times `weir replay` (Release) over a log of nginx combined + $request_time with a rule in each of
# the four tiers, into a store, turn by turn with `wc -l` on the same file. Prints JSON.
# usage: tests/bench/bench_replay.sh [LINES] [CLIENTS] [ROUNDS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
lines=${1:-1000000}
clients=${2:-40000}
rounds=${3:-5}
format='$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $request_time'

{
    cmake --preset release -DWEIR_TESTS=OFF
    cmake --build build/release --target weir bench_replay make_access_log
} >&2
mkdir -p build/bench
log=build/bench/access-$lines-$clients.log
if [ ! -s "$log" ]; then
    build/release/tests/bench/make_access_log "$lines" "$clients" 1 >"$log.part"
    mv "$log.part" "$log"
fi
exec build/release/tests/bench/bench_replay build/release/app/weir tests/bench/four_tiers.yaml "$log" \
    "$format" build/bench/bench.db "$rounds"
