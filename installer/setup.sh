#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the Debian 12 packages that Quarry needs, only those that are missing, as root or through sudo.
#   setup.sh [--build] [--test] [--list]     without a selection: both
#   --build   compile and run the engine, quarryctl and the console, and the headless main job of run.sh
#   --test    also what tests/run.sh and the slow checks use
#   --list    only print the table of packages and whether each is there; installs nothing
# Exit status: 0 everything is there, 1 something is missing and could not be installed, 2 wrong usage.
set -euo pipefail

# selection | package | why
table() {
  cat <<'T'
build|g++|compiles everything (C++20)
build|cmake|build description and presets
build|ninja-build|runs the build
build|pkg-config|finds liburing, zstd, xxHash and libnfs
build|libasio-dev|sockets, timers, coroutines
build|liburing-dev|file I/O of the store
build|libcli11-dev|command lines
build|libspdlog-dev|logging
build|libfmt-dev|text formatting, used by spdlog
build|libxxhash-dev|checksums of the on-disk formats
build|nlohmann-json3-dev|JSON of the control protocol
build|libexpected-dev|tl::expected, the result type
build|libssl-dev|SHA-256 of blocks
build|libzstd-dev|compression of frames
build|libsqlite3-dev|namespace, recipes, hooks, history
build|libssh-dev|remote engines and ESXi hosts
build|qt6-base-dev|console, and Qt Test for all tests
build|qt6-svg-dev|icons of the console
build|qt6-charts-dev|charts of the console
build|libqt6opengl6-dev|needed by Qt Charts
build|libgl-dev|needed by Qt Charts
build|libnfs-dev|NFS client of the copying and checking tools
build|e2fsprogs|makes the VM disks of the headless run
test|libnfs-utils|nfs-cp and nfs-ls, a second NFS client
test|qemu-utils|qemu-img reads VM disks
test|qemu-block-extra|the nfs:// driver of qemu-img
test|python3|port mapper of the QEMU check
test|iproute2|network namespace of the QEMU check
test|mount|small disks of the damage check
test|util-linux|unshare, losetup, fallocate
test|sqlite3|looks into the databases in the damage check
test|xvfb|a display for the console where there is none
test|fio|figures of the bare disk
test|shellcheck|checks these scripts
T
}

usage() { sed -n '3,8s/^# \{0,1\}//p' "$0"; }
fail() { echo "setup: $*" >&2; exit 1; }

selections=() list=no
for argument in "$@"; do
  case $argument in
    --build) selections+=(build) ;;
    --test) selections+=(build test) ;;
    --list) list=yes ;;
    -h | --help) usage; exit 0 ;;
    *) echo "setup: unknown option $argument" >&2; usage >&2; exit 2 ;;
  esac
done
[ ${#selections[@]} -gt 0 ] || selections=(build test)

wanted=$(table | awk -F'|' -v chosen=" ${selections[*]} " 'index(chosen, " " $1 " ") {print $2}')
is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

if [ $list = yes ]; then
  while IFS='|' read -r selection package reason; do
    grep -qx "$package" <<< "$wanted" || continue
    is_installed "$package" 2>/dev/null && state=there || state=missing
    printf '%-8s %-8s %-20s %s\n' "$state" "$selection" "$package" "$reason"
  done < <(table)
  exit 0
fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  # shellcheck disable=SC2086
  fail "this is not Debian (no apt-get). Install what these Debian 12 packages hold, then run again:" $wanted
fi

missing=()
for package in $wanted; do is_installed "$package" || missing+=("$package"); done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: all packages are installed"
  exit 0
fi

# shellcheck source=/dev/null
release=$(. /etc/os-release 2>/dev/null && echo "${ID:-unknown} ${VERSION_ID:-}") || release=unknown
[ "$release" = "debian 12" ] || echo "setup: written for Debian 12, this is $release; names of packages may differ" >&2

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || fail "needs root to install: ${missing[*]}. Run as root: apt-get install ${missing[*]}"
  as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" >> "$log" 2>&1; }

echo "setup: installing ${#missing[@]} packages: ${missing[*]}"
if ! apt install -y --no-install-recommends "${missing[@]}"; then
  # The package lists may be missing or old: fetch them and try once more.
  apt update || true
  if ! apt install -y --no-install-recommends "${missing[@]}"; then
    tail -n 8 "$log" >&2
    fail "could not install ${missing[*]} (no network, or another distribution than Debian 12?)"
  fi
fi
echo "setup: done"
