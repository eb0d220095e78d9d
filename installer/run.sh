#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds Quarry and runs it. With a display: the console, which starts an engine on this machine and leads through the setup. Without
# one, or with --headless, the same job by command line on VM disks made for it: engine, vstorage, disks in over NFS, deduplication,
# engine restarted, every file read back and compared, savings printed.
#   run.sh [--headless] [--store DIR] [--vms DIR] [--keep] [--no-setup]
#   --headless   no console
#   --store DIR  where the store goes (headless; default: a folder that is removed at the end)
#   --vms DIR    use the VM folders in DIR (NAME/NAME.vmx, …) instead of making some
#   --keep       headless: leave the store, and say how to start an engine on it
#   --no-setup   do not look for missing packages
# Exit status: 0 done and everything verified, 1 something failed, 2 wrong usage.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build_dir=$root/build/release

usage() { sed -n '3,12s/^# \{0,1\}//p' "$0"; }
fail() { echo "run: $*" >&2; exit 1; }

headless=no keep=no setup=yes store='' vms=''
while [ $# -gt 0 ]; do
  case $1 in
    --headless) headless=yes ;;
    --keep) keep=yes ;;
    --no-setup) setup=no ;;
    --store | --vms)
      [ $# -ge 2 ] || { usage >&2; exit 2; }
      if [ "$1" = --store ]; then store=$(realpath -m "$2"); else vms=$(realpath -m "$2"); fi
      shift ;;
    -h | --help) usage; exit 0 ;;
    *) echo "run: unknown option $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || headless=yes
if [ $headless = no ] && { [ -n "$store$vms" ] || [ $keep = yes ]; }; then
  echo "run: --store, --vms and --keep belong to --headless" >&2
  exit 2
fi
[ -z "$vms" ] || [ -d "$vms" ] || fail "--vms $vms: no such folder"

step_number=0
step() { step_number=$((step_number + 1)); printf '%2d. %s\n' "$step_number" "$*"; }

build() {
  local log=$build_dir.log targets=(quarryd quarryctl)
  if [ $headless = yes ]; then targets+=(nfs_tree); else targets+=(quarry); fi
  mkdir -p "$root/build"
  if ! (cd "$root" && cmake --preset release > "$log" 2>&1); then
    tail -n 20 "$log" >&2
    fail "the build could not be configured (whole log: $log)"
  fi
  if ! (cd "$root" && cmake --build --preset release --target "${targets[@]}" >> "$log" 2>&1); then
    grep -E 'error|FAILED' "$log" | head -n 20 >&2
    fail "the build failed (whole log: $log)"
  fi
}

[ $setup = no ] || { step "Packages"; "$root/installer/setup.sh" --build; }
step "Building (a first build takes some minutes)"
build
# shellcheck source=tests/support/engine.sh
source "$root/tests/support/engine.sh"

if [ $headless = no ]; then
  step "Starting the console"
  console=$(program quarry) || exit 1
  exec "$console"
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/quarry-run.XXXXXX")
store_is_ours=no
[ -n "$store" ] || { store=$work/store store_is_ours=yes; }
clean_up() {
  local status=$?
  trap - EXIT
  engine_stop || true
  if [ $keep = yes ] && [ $status -eq 0 ]; then
    [ $store_is_ours = no ] || rm -rf "${work:?}/vms" "${work:?}/engine"
    echo "The store is kept. To serve it: $(program quarryd) --store '$store'"
  else
    rm -rf "$work"
  fi
  exit $status
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

# The SHA-256 of every file below a folder, as nfs_tree prints it for an export.
sums_here() { (cd "$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum); }
verify() { nfs_tree sum "$(nfs_url vms)" | LC_ALL=C sort -k 2 | diff "$work/sums" - > "$work/diff" || { cat "$work/diff" >&2; fail "$1"; }; }
nfs_tree() { "$(program nfs_tree)" "$@"; }
mib() { awk -v bytes="$1" 'BEGIN { printf "%.1f MiB", bytes / 1048576 }'; }

if [ -z "$vms" ]; then
  step "Making VM disks from this machine's programs"
  vms=$work/vms
  "$root/installer/demo_disks.sh" "$vms"
fi
sums_here "$vms" | LC_ALL=C sort -k 2 > "$work/sums"
[ -s "$work/sums" ] || fail "$vms holds no files"
echo "    $(find "$vms" -mindepth 1 -maxdepth 1 -type d | wc -l) VMs, $(wc -l < "$work/sums") files, $(du -sm "$vms" | cut -f 1) MiB on disk"

step "Starting the engine on $store"
engine_use "$work/engine"
engine_start "$store" || fail "the engine did not start"
echo "    NFS on port $nfs_port, ready after $engine_ready_ms ms"

step "Creating the vstorage 'vms'"
ctl vstorage create vms

step "Copying the VMs in over NFS"
started=$(now_ms)
nfs_tree put "$vms" "$(nfs_url vms)" || fail "copying failed"
echo "    $(($(now_ms) - started)) ms"
verify "a file differs right after copying"

step "Deduplicating and compressing"
ctl job start optimize --vstorage vms --min-age 0 --wait || fail "the optimization job failed"

step "Restarting the engine"
engine_stop || fail "the engine did not stop cleanly"
engine_start "$store" || fail "the engine did not start again"
echo "    ready after $engine_ready_ms ms"

step "Reading every file back over NFS"
verify "a file differs after deduplication"
echo "    all $(wc -l < "$work/sums") files have the SHA-256 they came with"

step "What it saves"
ctl status
ctl vm list
status=$(ctl --json status)
logical=$(json_number logicalBytes <<< "$status")
zero=$(json_number zeroBytes <<< "$status")
stored=$(json_number storedBytes <<< "$status")
saved=$(awk -v data=$((logical - zero)) -v stored="$stored" 'BEGIN { printf "%.1f", (data > 0 ? 100 * (1 - stored / data) : 0) }')
echo "    data that is not zero: $(mib $((logical - zero))); on the disk: $(mib "$stored"); saved: $saved %"
engine_stop || fail "the engine did not stop cleanly"
echo "run: everything verified"
