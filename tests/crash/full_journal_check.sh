#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Kills the engine (SIGKILL) when its journal is full, and measures how long the next one takes until a client gets its first reply, with the
# journal out of the page cache if run as root. Random stable writes fill it faster than they can be destaged.
#   full_journal_check.sh [GIB]   size of the journal, default 4. BUILD=DIR another build, TMPDIR the disk, which needs four times the size;
#                                 JOURNAL_FOLDER=DIR a faster disk for the journal while it is filled; SECONDS_MAX=n to fill it, default 240
# Needs memory for a cache of four times the journal. Exit status: 0 within 15 seconds, 1 not, 2 wrong usage.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build_dir=${BUILD:-$root/build/release}
gib=${1:-4} seconds_max=${SECONDS_MAX:-240} first_reply_ms_max=15000
[[ $# -le 1 && $gib =~ ^[1-9]$ && $seconds_max =~ ^[1-9][0-9]*$ ]] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
# shellcheck source=tests/support/engine.sh
source "$root/tests/support/engine.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/quarry-full.XXXXXX")
filling=${JOURNAL_FOLDER:-$work}/quarry-full-journal.$$ load_pid=''
clean_up() {
  local status=$?
  trap - EXIT
  [ -z "$load_pid" ] || kill "$load_pid" 2> /dev/null
  engine_kill
  rm -rf "$work" "$filling"
  exit $status
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
fail() { echo "full_journal_check: $*" >&2; exit 1; }
command -v nfs-ls > /dev/null || fail "nfs-ls is missing (package libnfs-utils)"
rpc_load=$(program rpc_load) || exit 1

mkdir -p "$filling" || exit 1
engine_use "$work/engine"
options=(--cache-size "$((gib * 4))GiB")
engine_start "$work/store" "${options[@]}" --journal "$filling" --journal-size "${gib}GiB" || fail "the engine did not start"
ctl vstorage create disks > /dev/null || fail "quarryctl vstorage create failed"
ctl vstorage set disks --write-mode safe > /dev/null || fail "quarryctl vstorage set failed"

# Twice the journal in the file, so that few blocks are written twice.
"$rpc_load" fill --port "$nfs_port" --export /disks --mib $((gib * 2048)) --block 1048576 --connections 4 --depth 2 --unstable > "$work/load.out" ||
  fail "the file cannot be filled"
ctl cache flush > /dev/null || fail "quarryctl cache flush failed"
"$rpc_load" write --port "$nfs_port" --export /disks --mib $((gib * 2048)) --block 16384 --connections 4 --depth 8 --seconds "$seconds_max" \
  > "$work/load.out" 2>&1 &
load_pid=$!
used=0 most=0 bytes=$((gib * 1024 * 1024 * 1024))
while kill -0 "$load_pid" 2> /dev/null; do
  used=$(ctl cache show --json | json_number journalUsedBytes)
  [ "${used:-0}" -le "$most" ] || most=$used
  [ "${used:-0}" -lt $((bytes * 92 / 100)) ] || break
  sleep 0.05
done
engine_kill
kill "$load_pid" 2> /dev/null
wait "$load_pid" 2> /dev/null
load_pid=''
[ "${used:-0}" -ge $((bytes * 80 / 100)) ] || fail "the journal was not filled: $((most >> 20)) MiB at most ($(tail -n 1 "$work/load.out"))"

mkdir -p "$work/journal"
cp --sparse=never "$filling/ring" "$work/journal/ring" || fail "the journal cannot be copied"
sync
[ "$(id -u)" -ne 0 ] || echo 3 > /proc/sys/vm/drop_caches
started=$(now_ms)
engine_start "$work/store" "${options[@]}" --journal "$work/journal" || fail "the engine did not start again"
nfs-ls "$(nfs_url disks)" > /dev/null || fail "no reply"
taken=$(($(now_ms) - started))
echo "full_journal_check: $((used >> 20)) MiB of journal, first reply after $taken ms (at most $first_reply_ms_max)"
[ "$taken" -le "$first_reply_ms_max" ]
