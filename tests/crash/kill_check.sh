#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Kills the engine (SIGKILL) at random moments while clients create, write, rename, resize, remove and read files and optimize jobs run.
# After each kill it must serve again within 15 seconds, and nothing that it had acknowledged as stable may be missing or wrong.
# In write mode ram that holds for what is older than ram_seconds: there the writer stands still for so long before each kill.
#   kill_check.sh [N]        N kills, default 20. WRITE_MODE=safe|through|ram (default safe); SEED=n repeats the same moments and
#                            operations; BUILD=DIR another build
# Exit status: 0 all held, 1 not (the store and the logs are kept and named), 2 wrong usage.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build_dir=${BUILD:-$root/build/release}
write_mode=${WRITE_MODE:-safe} ram_seconds=10
kill_count=${1:-20} seed=${SEED:-$((RANDOM * 32768 + RANDOM))}
[[ $kill_count =~ ^[1-9][0-9]*$ && $seed =~ ^[0-9]+$ && $write_mode =~ ^(safe|through|ram)$ ]] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
# shellcheck source=tests/support/engine.sh
source "$root/tests/support/engine.sh"
first_reply_ms_max=15000

work=$(mktemp -d "${TMPDIR:-/tmp}/quarry-kill.XXXXXX")
writer_pid='' optimizer_pid='' verdict=1
end_helpers() {
  [ -z "$optimizer_pid" ] || { kill "$optimizer_pid" 2> /dev/null; wait "$optimizer_pid" 2> /dev/null; }
  [ -z "$writer_pid" ] || { kill "$writer_pid" 2> /dev/null; wait "$writer_pid" 2> /dev/null; }
  optimizer_pid='' writer_pid=''
}
clean_up() {
  trap - EXIT
  end_helpers
  engine_kill
  if [ $verdict -eq 0 ]; then rm -rf "$work"; else echo "kill_check: kept for inspection: $work (seed $seed)" >&2; fi
  exit $verdict
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
fail() { echo "kill_check: $*" >&2; exit 1; }

RANDOM=$((seed % 32768))
writer=$(program crash_writer) && nfs_tree=$(program nfs_tree) || exit 1
engine_use "$work/engine"
engine_start "$work/store" || fail "the engine did not start"
ctl vstorage create vms --write-mode "$write_mode" > /dev/null || fail "no vstorage"

keep_optimizing() {
  while ctl job start optimize --min-age 0 --wait; do sleep 0.05; done > /dev/null 2>&1
}

slowest_ms=0 acknowledged_total=0
for round in $(seq "$kill_count"); do
  "$writer" run "$work/state" "$(nfs_url vms)" 120 $((seed + round)) > "$work/writer.log" 2>&1 &
  writer_pid=$!
  keep_optimizing &
  optimizer_pid=$!
  run_ms=$((300 + RANDOM % 4000))
  sleep "$(awk -v ms=$run_ms 'BEGIN { print ms / 1000 }')"
  engine_is_running || { tail -n 5 "$work/engine/engine.log" >&2; fail "round $round: the engine ended by itself"; }
  if [ -s "$work/writer.log" ]; then cat "$work/writer.log" >&2; fail "round $round: a worker stopped while the engine was alive"; fi
  if [ "$write_mode" = ram ]; then
    kill -STOP "$writer_pid"
    sleep $((ram_seconds + 1))
  fi
  engine_kill
  [ "$write_mode" != ram ] || kill -CONT "$writer_pid"
  wait "$writer_pid"
  writer_status=$?
  writer_pid=''
  end_helpers
  [ $writer_status -eq 0 ] || { cat "$work/writer.log" >&2; fail "round $round: wrong data was read"; }
  acknowledged=$(sed -n 's/^acknowledged //p' "$work/writer.log")
  acknowledged_total=$((acknowledged_total + acknowledged))

  started=$(now_ms)
  engine_start "$work/store" || fail "round $round: the engine does not start again"
  "$nfs_tree" ls "$(nfs_url vms)" > "$work/listing" || fail "round $round: no NFS reply"
  reply_ms=$(($(now_ms) - started))
  [ $reply_ms -le $first_reply_ms_max ] || fail "round $round: first NFS reply after $reply_ms ms"
  [ $reply_ms -le $slowest_ms ] || slowest_ms=$reply_ms
  verified=$("$writer" verify "$work/state" "$(nfs_url vms)" 2>&1) || { echo "$verified" >&2; fail "round $round: acknowledged data is missing"; }
  printf 'kill %2d after %4d ms: %5d operations acknowledged, first reply after %4d ms, %s\n' \
    "$round" $run_ms "$acknowledged" $reply_ms "$(tail -n 1 <<< "$verified")"
done

ctl job start optimize --min-age 0 --wait > /dev/null || fail "the last optimization failed"
status=$(ctl --json status) || fail "no status"
saved=$(($(json_number duplicateBytes <<< "$status") + $(json_number compressedAwayBytes <<< "$status")))
[ $saved -gt 0 ] || fail "nothing was optimized: the check did not test what it should"
"$writer" verify "$work/state" "$(nfs_url vms)" || fail "data is wrong after the last optimization"
engine_stop || fail "the engine did not stop cleanly"
engine_start "$work/store" || fail "the engine does not start again"
"$writer" verify "$work/state" "$(nfs_url vms)" || fail "data is wrong after the last restart"
engine_stop || fail "the engine did not stop cleanly"
verdict=0
echo "kill_check: $kill_count kills in write mode $write_mode," \
  "$acknowledged_total operations acknowledged, slowest first reply $slowest_ms ms, nothing missing (seed $seed)"
