#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Real VM folders through the whole path: in over NFS, optimized, engine restarted, random ranges overwritten, optimized again. After
# every step each file's SHA-256 must be that of the original; the disk use that `status` tells must agree with `du` within 2 %.
#   images_check.sh FOLDER [PERCENT]   FOLDER: NAME/NAME.vmx, …; PERCENT: fail when less of the non-zero bytes is saved
# Environment: BUILD=DIR another build, SEED=n for the overwritten ranges. Needs room for two copies of FOLDER in TMPDIR.
# Exit status: 0 all held, 1 not, 2 wrong usage.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build_dir=${BUILD:-$root/build/release}
if [ $# -lt 1 ] || [ ! -d "$1" ]; then
  sed -n '3,7s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
folder=$(realpath "$1") percent_min=${2:-0} seed=${SEED:-$RANDOM}
# shellcheck source=tests/support/engine.sh
source "$root/tests/support/engine.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/quarry-images.XXXXXX")
clean_up() {
  local status=$?
  trap - EXIT
  engine_kill
  rm -rf "$work"
  exit $status
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
fail() { echo "images_check: $*" >&2; exit 1; }
nfs_tree=$(program nfs_tree) || exit 1
store=$work/store

sums_here() { (cd "$1" && find . -type f -print0 | xargs -0 sha256sum | LC_ALL=C sort -k 2); }
verify() {  # EXPORT WHEN
  "$nfs_tree" sum "$(nfs_url "$1")" | LC_ALL=C sort -k 2 > "$work/read" || fail "$2: a file could not be read"
  diff "$work/sums" "$work/read" > "$work/diff" || { head -n 5 "$work/diff" >&2; fail "$2: files differ"; }
  echo "   $(wc -l < "$work/read") files read back, same SHA-256: $2"
}
restart() {
  engine_stop || fail "the engine did not stop cleanly"
  engine_start "$store" || fail "the engine did not start again"
}
mib_per_second() { awk -v bytes="$1" -v ms="$2" 'BEGIN { printf "%.0f MiB/s", bytes / 1048576 / (ms > 0 ? ms : 1) * 1000 }'; }

optimize() {
  local started shown
  started=$(now_ms)
  shown=$(ctl --json job start optimize --vstorage vms --min-age 0 --wait) || { echo "$shown" >&2; fail "optimize failed"; }
  echo "   optimized $(json_number bytesTotal <<< "$shown") bytes in $(($(now_ms) - started)) ms," \
    "$(mib_per_second "$(json_number bytesTotal <<< "$shown")" $(($(now_ms) - started)))"
}

# Savings against the non-zero bytes that were counted without the engine; disk use against du.
report() {
  local status told used stored saved difference
  status=$(ctl --json status) || fail "no status"
  told=$(json_number storeBytes <<< "$status")
  stored=$(json_number storedBytes <<< "$status")
  sync -f "$store" 2> /dev/null
  used=$(du -s --block-size=1 "$store" | cut -f 1)
  saved=$(awk -v data="$non_zero" -v stored="$stored" 'BEGIN { printf "%.2f", 100 * (1 - stored / data) }')
  on_disk=$(awk -v data="$non_zero" -v used="$used" 'BEGIN { printf "%.2f", 100 * (1 - used / data) }')
  difference=$(awk -v a="$told" -v b="$used" 'BEGIN { d = a > b ? a - b : b - a; printf "%.2f", 100 * d / b }')
  echo "   non-zero $non_zero bytes, stored $stored: $saved % saved ($on_disk % by du, everything included)"
  echo "   store takes $used bytes by du, $told by status: $difference % apart"
  awk -v d="$difference" 'BEGIN { exit !(d <= 2) }' || fail "du and status are more than 2 % apart"
  awk -v s="$saved" -v m="$1" 'BEGIN { exit !(s >= m) }' || fail "less than $1 % saved"
}

echo "1. Original files"
cp -a --sparse=always "$folder/." "$work/vms" || fail "no room for a copy of $folder"
sums_here "$work/vms" > "$work/sums"
non_zero=$("$nfs_tree" nonzero "$work/vms")
echo "   $(wc -l < "$work/sums") files, $non_zero bytes that are not zero"

echo "2. Into the store over NFS"
engine_use "$work/engine"
engine_start "$store" || fail "the engine did not start"
ctl vstorage create vms > /dev/null || fail "no vstorage"
started=$(now_ms)
"$nfs_tree" put "$work/vms" "$(nfs_url vms)" || fail "copying failed"
echo "   $(mib_per_second "$non_zero" $(($(now_ms) - started)))"
verify vms "after copying"

echo "3. Optimize"
optimize
report "$percent_min"
verify vms "after optimizing"
restart
verify vms "after a restart"
ctl vm list

echo "4. Overwrite random ranges of optimized files (seed $seed), optimize again"
"$nfs_tree" scribble "$work/vms" "$(nfs_url vms)" "$seed" || fail "overwriting failed"
sums_here "$work/vms" > "$work/sums"
non_zero=$("$nfs_tree" nonzero "$work/vms")
verify vms "after overwriting"
restart
verify vms "after overwriting and a restart"
optimize
verify vms "after optimizing again"
restart
verify vms "after optimizing again and a restart"
report 0

if command -v nfs-cp > /dev/null; then
  echo "5. The same with another client (nfs-cp)"
  first=$(find "$work/vms" -type f -size +1M | LC_ALL=C sort | head -n 1)
  ctl vstorage create other > /dev/null || fail "no second vstorage"
  nfs-cp "$first" "nfs://127.0.0.1/other/copy.img?nfsport=$nfs_port&mountport=$nfs_port" > /dev/null || fail "nfs-cp failed"
  ctl job start optimize --vstorage other --min-age 0 --wait > /dev/null || fail "optimize failed"
  sum=$("$nfs_tree" sum "$(nfs_url other)" | cut -d ' ' -f 1)
  [ "$sum" = "$(sha256sum < "$first" | cut -d ' ' -f 1)" ] || fail "the copy by nfs-cp differs"
  echo "   same SHA-256"
fi
engine_stop || fail "the engine did not stop cleanly"
echo "images_check: all held"
