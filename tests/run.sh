#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds everything in Debug and runs all tests. The status is ctest's.
# usage: [WEIR_PRESET=dev|asan|tsan] tests/run.sh [CTEST OPTION...]     (-R engine: only those whose name has "engine")
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=${WEIR_PRESET:-dev}
app/install_dependencies.sh tests
cmake --preset "$preset"
cmake --build --preset "$preset"
exec ctest --preset "$preset" --no-label-summary "$@"
