#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the cache and the journal are for, in figures: the engine against the bare disk (fio, O_DIRECT), against nfs-ganesha and against a server
# that does nothing, both sides in turn in one run on one disk, with the targets beside the ratios. Needs a release build:
#   ninja -C build/release quarryd quarryctl rpc_load null_server
#   cache_figures.sh [SECONDS] [MIB]    SECONDS per measurement (default 3), MIB: size of each file (default 512)
# Environment: BUILD=DIR another build, TMPDIR the disk, ROUNDS how often each pair is measured (default 3; medians count), ROWS="1 4" only these.
# Exit status: 0 measured and every target met, 3 measured and one missed, 1 something failed, 2 wrong usage.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build_dir=${BUILD:-$root/build/release}
seconds=${1:-3} mib=${2:-512} rounds=${ROUNDS:-3}
[[ $# -le 2 && $seconds =~ ^[1-9][0-9]*$ && $mib =~ ^[1-9][0-9]*$ && $rounds =~ ^[1-9]$ ]] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
# shellcheck source=tests/support/engine.sh
source "$root/tests/support/engine.sh"
# shellcheck source=tests/bench/ganesha.sh
source "$root/tests/bench/ganesha.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/quarry-figures.XXXXXX")
null_pid=''
clean_up() {
  local status=$?
  trap - EXIT
  null_stop
  ganesha_stop
  engine_kill
  rm -rf "$work"
  exit $status
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
fail() { echo "cache_figures: $*" >&2; exit 1; }
command -v fio > /dev/null || fail "fio is missing (package fio)"
rpc_load=$(program rpc_load) || exit 1
null_server=$(program null_server) || exit 1

# Each side prints operations per second first; rpc_load adds latencies and CPU times.

# disk RW BLOCK JOBS DEPTH [FIO-OPTION…]: the bare disk, random data that half compresses, like rpc_load's.
disk() {
  local rw=$1 block=$2 jobs=$3 depth=$4 engine=psync shown
  shift 4
  [ "$depth" -eq 1 ] || engine=io_uring
  shown=$(fio --name=disk --filename="$work/disk.dat" --size="${mib}M" --rw="$rw" --bs="$block" --numjobs="$jobs" --iodepth="$depth" \
    --ioengine="$engine" --direct=1 --runtime="$seconds" --time_based --group_reporting --buffer_compress_percentage=50 --output-format=terse \
    "$@" 2> "$work/fio.err") || { cat "$work/fio.err" >&2; return 1; }
  # terse version 3: field 8 read IOPS, field 49 write IOPS
  case $rw in *read*) cut -d ';' -f 8 <<< "$shown" ;; *) cut -d ';' -f 49 <<< "$shown" ;; esac
}
# quarry EXPORT VERB BLOCK CONNECTIONS DEPTH [OPTION…]
quarry() {
  local name=$1 verb=$2 block=$3 connections=$4 depth=$5
  shift 5
  "$rpc_load" "$verb" --port "$nfs_port" --export "/$name" --mib "$mib" --block "$block" --connections "$connections" --depth "$depth" \
    --seconds "$seconds" --server-pid "$engine_pid" "$@"
}
# ganesha VERB BLOCK CONNECTIONS DEPTH
ganesha() {
  ganesha_run "$rpc_load" "$1" --port "$ganesha_port" --mount-port "$ganesha_mount_port" --export "$ganesha_folder" --mib "$mib" --block "$2" \
    --connections "$3" --depth "$4" --seconds "$seconds" --server-pid "$ganesha_pid"
}
# nothing VERB BLOCK CONNECTIONS DEPTH
nothing() {
  "$rpc_load" "$1" --port "$null_port" --export / --any-data --mib "$mib" --block "$2" --connections "$3" --depth "$4" --seconds "$seconds" \
    --server-pid "$null_pid"
}
# null_start [OPTION…]
null_start() {
  "$null_server" "$@" > "$work/null.out" 2>&1 &
  null_pid=$!
  for _ in $(seq 250); do
    null_port=$(sed -nE 's/^ready nfs=.*:([0-9]+) .*/\1/p' "$work/null.out")
    [ -z "$null_port" ] || return 0
    sleep 0.02
  done
  fail "the server that does nothing did not start"
}
null_stop() {
  [ -n "$null_pid" ] || return 0
  kill "$null_pid" 2> /dev/null
  wait "$null_pid" 2> /dev/null
  null_pid=''
}

missed=0
# row TITLE KIND TARGET OTHER OURS: OTHER and OURS are command lines, run in turn. KIND: slower (other/ours, at most TARGET), faster (ours/other, at
# least TARGET), share (ours/other in percent, at least TARGET); TARGET "-": for information.
row() {
  local title=$1 kind=$2 target=$3 other=$4 ours=$5 _
  : > "$work/row"
  for _ in $(seq "$rounds"); do
    echo "$($other) | $($ours)" >> "$work/row"
    quiet ctl cache flush  # or else destaging would slow down the other side
  done
  awk -F ' [|] ' -v title="$title" -v kind="$kind" -v target="$target" '
    function median(values, count,   i, j, held) {
      for (i = 2; i <= count; i++) for (j = i; j > 1 && values[j] < values[j - 1]; j--) { held = values[j]; values[j] = values[j - 1]; values[j - 1] = held }
      return values[int((count + 1) / 2)]
    }
    { split($1, a, " "); if (split($2, b, " ") != 7 || a[1] <= 0 || b[1] <= 0) { failed = 1; exit }
      other[NR] = a[1]; ours[NR] = b[1]; p99[NR] = b[5]; cpu[NR] = b[6]; own[NR] = b[7]; otherCpu[NR] = a[6]
      cpuShare[NR] = 100 * (a[6] + a[7]) / (b[6] + b[7] + 0.01)
      ratio[NR] = kind == "slower" ? a[1] / b[1] : kind == "share" ? 100 * b[1] / a[1] : b[1] / a[1] }
    END { if (failed || NR == 0) exit 1
      r = median(ratio, NR); met = target == "-" ? "" : (kind == "slower" ? r <= target : r >= target) ? "met" : "MISSED"
      shown = kind == "slower" ? sprintf("%.2f x slower", r) : kind == "share" ? sprintf("%.1f %%", r) : sprintf("%.2f x faster", r)
      wanted = target == "-" ? "-" : (kind == "slower" ? "<= " : ">= ") target (kind == "share" ? " %" : "")
      printf "%-62s %9d %9d %14s %9s %-6s %7d %8.1f %8.1f %8s\n", title, median(other, NR), median(ours, NR), shown, wanted, met, median(p99, NR),
        median(cpu, NR), median(own, NR), (otherCpu[1] == "" ? "-" : sprintf("%.1f", median(otherCpu, NR)))
      if (kind == "share" && otherCpu[1] != "") printf "  by CPU time of server and client, which other load disturbs less: %.0f %%\n", median(cpuShare, NR)
      exit met == "MISSED" ? 3 : 0 }' "$work/row"
  case $? in 0) ;; 3) missed=1 ;; *) fail "$title: not measured" ;; esac
}
wants() { [ -z "${ROWS:-}" ] || [[ " $ROWS " == *" $1 "* ]]; }

engine_with_cache() {
  engine_stop || fail "the engine did not stop cleanly"
  engine_start "$work/store" --cache-size "$1" --journal-size 512MiB || fail "the engine did not start"
}
# Runs a command that says something only when it fails.
quiet() { "$@" > "$work/said" 2>&1 || fail "$*: $(cat "$work/said")"; }
fill() {
  quiet quarry "$1" fill 1048576 4 2 --unstable
  quiet ctl cache flush
}
make_vstorage() {
  quiet ctl vstorage create "$1"
  quiet ctl vstorage set "$1" --write-mode "$2"
  fill "$1"
}
small_cache=16MiB large_cache=$((mib * 4 + 512))MiB

fallocate -l "${mib}M" "$work/disk.dat" || fail "no room for $mib MiB"
fio --name=fill --filename="$work/disk.dat" --size="${mib}M" --rw=write --bs=1M --direct=1 --buffer_compress_percentage=50 > /dev/null || fail "fio cannot fill"
engine_use "$work/engine"
engine_with_cache "$large_cache"
make_vstorage cold safe
quiet ctl job start optimize --vstorage cold --min-age 0 --wait

echo "$(nproc) cores, shared by the servers and the load generator and pinned to nothing; load average $(cut -d ' ' -f 1-3 /proc/loadavg)"
echo "$rounds rounds of $seconds s for each side, in turn; medians; files of $mib MiB on $(df --output=source,fstype "$work" | tail -n 1)"
echo "server, client, other: CPU time per operation in µs of the engine, of the load generator, and of the server it is compared with"
printf '%-62s %9s %9s %14s %9s %-6s %7s %8s %8s %8s\n' "" "other/s" "quarry/s" "ratio" "target" "" "p99 µs" "server" "client" "other"

if wants 1; then
  engine_with_cache "$small_cache"
  row "1 random read 4 KiB, optimized, cold ($small_cache), depth 1 : disk" slower 1.5 "disk randread 4096 1 1" "quarry cold read 4096 1 1"
  row "1 the same, depth 32 on 4 connections : disk" slower - "disk randread 4096 32 1" "quarry cold read 4096 4 8"
fi

engine_with_cache "$large_cache"
quiet quarry cold scan 1048576 4 2
if wants 2; then
  row "2 random read 4 KiB, cached, depth 1 : disk" faster 2.5 "disk randread 4096 1 1" "quarry cold read 4096 1 1"
  null_start
  row "2 as far as RPC allows: server that does nothing : disk" faster - "disk randread 4096 1 1" "nothing read 4096 1 1"
  null_stop
fi
if wants 3 || wants 4; then make_vstorage safe safe; fi
if wants 3 || wants 5; then make_vstorage ram ram; fi
if wants 3; then
  make_vstorage through through
  row "3 random stable write 4 KiB, safe, 4 x 8 : disk, each synced" faster 5 "disk randwrite 4096 32 1 --sync=dsync" "quarry safe write 4096 4 8"
  row "3 the same, write mode through : disk, each synced" faster - "disk randwrite 4096 32 1 --sync=dsync" "quarry through write 4096 4 8"
  row "3 the same, write mode ram : disk, each synced" faster - "disk randwrite 4096 32 1 --sync=dsync" "quarry ram write 4096 4 8"
  row "3 random stable write 4 KiB, safe, depth 1 : disk, each synced" faster - "disk randwrite 4096 1 1 --sync=dsync" "quarry safe write 4096 1 1"
fi
if wants 4; then
  if ganesha_start "$work/ganesha" "$work/ganesha/export"; then
    quiet ganesha fill 1048576 4 2
    quiet ganesha scan 1048576 4 2
    row "4 random read 4 KiB, cached, 4 x 8 : nfs-ganesha" faster 5 "ganesha read 4096 4 8" "quarry cold read 4096 4 8"
    row "4 random stable write 4 KiB, safe, 4 x 8 : nfs-ganesha" faster 5 "ganesha write 4096 4 8" "quarry safe write 4096 4 8"
    ganesha_stop
  else
    echo "4 against nfs-ganesha: left out, $ganesha_reason"
  fi
fi
if wants 5; then
  null_start
  row "5 random read 4 KiB, cached, 4 x 8 : server that does nothing" share 70 "nothing read 4096 4 8" "quarry cold read 4096 4 8"
  row "5 random stable write 4 KiB, ram, 4 x 8 : the same" share - "nothing write 4096 4 8" "quarry ram write 4096 4 8"
  null_stop
  null_start --dispatcher
  row "5 random read 4 KiB, cached : the same through our RPC layer" share - "nothing read 4096 4 8" "quarry cold read 4096 4 8"
  null_stop
fi
if wants 6; then
  make_vstorage sequential safe
  row "6 sequential write 1 MiB, stable, 4 under way : disk, each synced" share 80 "disk write 1M 1 4 --sync=dsync" "quarry sequential seqwrite 1048576 1 4"
  row "6 sequential write 1 MiB, unstable + COMMIT : disk, one sync" share 80 "disk write 1M 1 4 --end_fsync=1" \
    "quarry sequential seqwrite 1048576 1 4 --unstable"
  engine_with_cache "$small_cache"
  row "6 sequential read 1 MiB, landed, cold, 4 under way : disk" share 80 "disk read 1M 1 4" "quarry sequential seqread 1048576 1 4"
  row "6 sequential read 1 MiB, optimized, cold, 4 under way : disk" share 80 "disk read 1M 1 4" "quarry cold seqread 1048576 1 4"
fi
echo "load average $(cut -d ' ' -f 1-3 /proc/loadavg)"
engine_stop || fail "the engine did not stop cleanly"
[ "$missed" -eq 0 ] || exit 3
