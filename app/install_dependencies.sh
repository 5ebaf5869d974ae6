#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the Debian packages that weir is built with, those that are missing.
# usage: app/install_dependencies.sh program | console | tests
set -euo pipefail

packages=(g++ cmake ninja-build pkg-config libfmt-dev libyaml-cpp-dev libcli11-dev libsqlite3-dev
          libisal-dev libzstd-dev libxxhash-dev)
case "${1:-}" in
    program) ;;
    console | tests) packages+=(qt6-base-dev libqcustomplot-dev) ;;
    *) echo "usage: $0 program | console | tests" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian: weir needs what Debian calls ${packages[*]}." >&2
    exit 0
fi

missing=()
for package in "${packages[@]}"; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    # A virtual name, such as pkg-config on some releases, is there if its program is.
    [ "$state" = installed ] || command -v "$package" >/dev/null || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Missing packages. As root: apt-get install --no-install-recommends ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "Installing ${missing[*]}" >&2
apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
# Old lists may do where the archive of one source cannot be reached.
"${as_root[@]}" "${apt[@]}" update >&2 || echo "apt-get update failed; going on with the lists that are there" >&2
"${as_root[@]}" "${apt[@]}" install --no-install-recommends "${missing[@]}" </dev/null >&2
