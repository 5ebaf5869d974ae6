#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The row `combined` of bench.sh: `weir replay` over nginx combined + $request_time beside its peers.
# usage: tests/bench/bench_replay.sh [LINES] [CLIENTS] [ROUNDS]
exec "$(dirname "${BASH_SOURCE[0]}")/bench.sh" "${1:-1000000}" "${2:-40000}" "${3:-5}" combined
