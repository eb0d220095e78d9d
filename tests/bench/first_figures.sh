#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# First figures: the bare disk (fio, O_DIRECT) against an export on the same disk, same block size, same number of requests under way,
# same stability; before and after optimizing. Ratios count, absolute numbers belong to the machine.
#   first_figures.sh [SECONDS] [MIB]    SECONDS per figure (default 10), MIB: size of the file (default 1024)
# Environment: BUILD=DIR another build, TMPDIR the disk. Exit status: 0 measured, 1 something failed, 2 wrong usage.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build_dir=${BUILD:-$root/build/release}
seconds=${1:-10} mib=${2:-1024}
[[ $seconds =~ ^[1-9][0-9]*$ && $mib =~ ^[1-9][0-9]*$ ]] || { sed -n '3,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
# shellcheck source=tests/support/engine.sh
source "$root/tests/support/engine.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/quarry-figures.XXXXXX")
clean_up() {
  local status=$?
  trap - EXIT
  engine_kill
  rm -rf "$work"
  exit $status
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
fail() { echo "first_figures: $*" >&2; exit 1; }
command -v fio > /dev/null || fail "fio is missing (package fio)"
nfs_load=$(program nfs_load) || exit 1

# base RW BLOCK JOBS [FIO-OPTION…] → operations per second. Random data that half compresses, like nfs_load's.
base() {
  local rw=$1 block=$2 jobs=$3 shown
  shift 3
  shown=$(fio --name=base --filename="$work/base.dat" --size="${mib}M" --rw="$rw" --bs="$block" --numjobs="$jobs" --iodepth=1 --ioengine=psync \
    --direct=1 --runtime="$seconds" --time_based --group_reporting --buffer_compress_percentage=50 --output-format=terse "$@" 2> "$work/fio.err") ||
    { cat "$work/fio.err" >&2; return 1; }
  # terse version 3: field 8 read IOPS, field 49 write IOPS
  case $rw in *read*) cut -d ';' -f 8 <<< "$shown" ;; *) cut -d ';' -f 49 <<< "$shown" ;; esac
}
export_load() { "$nfs_load" "$1" "$(nfs_url vms)" /load.img "$mib" "$seconds" "$2" "$3"; }

# row TITLE FIO-RW VERB BLOCK WORKERS [FIO-OPTION…]
row() {
  local title=$1 rw=$2 verb=$3 block=$4 workers=$5 bare figures
  shift 5
  bare=$(base "$rw" "$block" "$workers" "$@") || fail "$title: fio"
  figures=$(export_load "$verb" "$block" "$workers") || fail "$title: nfs_load"
  awk -v t="$title" -v b="$bare" -v f="$figures" \
    'BEGIN { split(f, a, " "); printf "%-44s %9d %9d %7.2f %9.1f %8d %8d\n", t, b, a[1], (b > 0 ? a[1] / b : 0), a[2], a[3], a[4] }'
}

fallocate -l "${mib}M" "$work/base.dat" || fail "no room for $mib MiB"
fio --name=fill --filename="$work/base.dat" --size="${mib}M" --rw=write --bs=1M --direct=1 --buffer_compress_percentage=50 > /dev/null || fail "fio cannot fill"
engine_use "$work/engine"
engine_start "$work/store" || fail "the engine did not start"
ctl vstorage create vms > /dev/null || fail "no vstorage"
export_load fill 1048576 4 > /dev/null || fail "the file could not be filled"

printf '%-44s %9s %9s %7s %9s %8s %8s\n' "" "disk op/s" "nfs op/s" "ratio" "MiB/s" "mean µs" "p99 µs"
row "landed: random read 4 KiB, 1 under way" randread read 4096 1
row "landed: random read 4 KiB, 32 under way" randread read 4096 32
row "random stable write 4 KiB, 1 under way" randwrite write 4096 1 --sync=dsync
row "random stable write 4 KiB, 32 under way" randwrite write 4096 32 --sync=dsync
row "landed: sequential read 1 MiB, 4 under way" read seqread 1048576 4
row "sequential write 1 MiB, 4 under way" write seqwrite 1048576 4

shown=$(ctl --json job start optimize --vstorage vms --min-age 0 --wait) || fail "optimize failed"
bytes=$(json_number bytesDone <<< "$shown")
taken=$(json_number secondsTaken <<< "$shown")
awk -v b="$bytes" -v s="$taken" 'BEGIN { printf "optimize: %.0f MiB in %d s, %.0f MiB/s\n", b / 1048576, s, b / 1048576 / (s > 0 ? s : 1) }'

row "optimized: random read 4 KiB, 1 under way" randread read 4096 1
row "optimized: random read 4 KiB, 32 under way" randread read 4096 32
row "optimized: sequential read 1 MiB, 4 under way" read seqread 1048576 4
engine_stop || fail "the engine did not stop cleanly"
