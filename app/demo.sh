#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds weir and shows its main job on a recorded day: two policies, what each would have decided,
# who would newly be rejected, and one rejection explained. Needs nothing but a Debian.
# usage: app/demo.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '\n== %s\n' "$1"; shift; [ $# -eq 0 ] || printf '   %s\n' "$@"; }

# Shows a command, then runs it. Arguments with blanks or signs are shown in quotes.
run() {
    local word shown=weir
    for word in "$@"; do
        case $word in
            *[!A-Za-z0-9_./=,%:@+-]*) shown+=" '$word'" ;;
            *) shown+=" $word" ;;
        esac
    done
    printf '\n$ %s\n' "$shown"
    build/release/app/weir "$@"
}

app/install_dependencies.sh program
echo "Building weir (Release) into build/release: some minutes the first time (what is done stands in build/release.log) ..." >&2
mkdir -p build
cmake --preset release -DWEIR_TESTS=OFF -DWEIR_CONSOLE=OFF -DCMAKE_COMPILE_WARNING_AS_ERROR=OFF >build/release.log 2>&1 || { cat build/release.log >&2; exit 1; }
cmake --build build/release --target weir >>build/release.log 2>&1 || { cat build/release.log >&2; exit 1; }

log=app/demo/access.log.gz
format=$(cat app/demo/log_format.txt)
now=policies/examples/public-api.yaml
next=policies/examples/public-api-next.yaml
db=build/demo.db
rm -f "$db" "$db-wal" "$db-shm"

say "Two policies" \
    "$now is what we have in mind today, $next is a proposal." \
    "Both are checked before anything else; mistakes would come with line and column."
run check "$now" "$next"

say "What each would have decided" \
    "$log is one recorded day of an API behind nginx. Every request is decided" \
    "again by the policy, at the time at which it arrived; results go to $db."
run replay "$now" "$log" --log-format "$format" --db "$db" --name today
run replay "$next" "$log" --log-format "$format" --db "$db" --name proposal

say "Who would be hit by the proposal" \
    "Run 2 against run 1: newly rejected, newly admitted, still rejected."
run compare 1 2 --db "$db" --by plan,client_ip --top 5

say "What production did that day" \
    "The log has the answers of the old limit (5 r/s for each address). Run 1 against them."
run compare recorded 1 --db "$db" --by plan

say "One rejection in full" \
    "Which rule, its state before and after, which earlier requests filled it, when it would have passed."
run explain 2 --db "$db" --where 'api_key=key-finch-3'

say "The same with a log of your own"
cat <<END
   build/release/app/weir inspect /var/log/nginx/access.log
   build/release/app/weir replay $now /var/log/nginx/access.log

   The first says what the log has (and which log_format to add for more), the second decides it.
END
