# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Starts, watches and ends an engine for the scripts. Source it after setting build_dir to a built tree, then call engine_use FOLDER.
#   engine_use FOLDER        folder for socket and logs
#   engine_start STORE [OPTION…]   returns when the engine is ready; 1 with its last lines when it is not
#   engine_stop | engine_kill      SIGTERM and its exit status; SIGKILL
#   ctl ARGUMENT…            quarryctl on this engine
#   nfs_url EXPORT           URL for nfs_tree, crash_writer and other libnfs programs
#   json_number KEY          first number of that name in the JSON on stdin
# Only processes started here are ended.
engine_pid='' nfs_port='' engine_folder='' engine_ctl='' engine_ready_ms=''

program() {
  local found
  found=$(find "${build_dir:?}" -name "$1" -type f -perm -u+x -print -quit)
  [ -n "$found" ] || { echo "$1 is not built in $build_dir" >&2; return 1; }
  echo "$found"
}

engine_use() {
  engine_folder=$1
  mkdir -p "$engine_folder"
  control_socket=$engine_folder/control.sock
  engine_ctl=$(program quarryctl)
}

now_ms() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); }

engine_start() {
  local store=$1 quarryd started
  shift
  quarryd=$(program quarryd) || return 1
  started=$(now_ms)
  : > "$engine_folder/engine.out"  # the line of an earlier engine must not be taken for this one's
  "$quarryd" --store "$store" --control "$control_socket" --listen 127.0.0.1 --nfs-port 0 --portmap off "$@" \
    > "$engine_folder/engine.out" 2>> "$engine_folder/engine.log" &
  engine_pid=$!
  while ! grep -q '^ready ' "$engine_folder/engine.out"; do
    if ! kill -0 "$engine_pid" 2> /dev/null; then
      wait "$engine_pid"
      engine_status=$?
      engine_pid=''
      echo "the engine ended with status $engine_status before it was ready:" >&2
      tail -n 5 "$engine_folder/engine.log" >&2
      return 1
    fi
    if [ $(($(now_ms) - started)) -gt 60000 ]; then
      echo "the engine is not ready after 60 seconds" >&2
      engine_kill
      return 1
    fi
    sleep 0.02
  done
  nfs_port=$(sed -nE 's/^ready nfs=.*:([0-9]+) .*/\1/p' "$engine_folder/engine.out")
  # shellcheck disable=SC2034  # for the caller
  engine_ready_ms=$(($(now_ms) - started))
}

engine_stop() {
  [ -n "$engine_pid" ] || return 0
  local pid=$engine_pid
  engine_pid=''
  kill -TERM "$pid" 2> /dev/null
  for _ in $(seq 600); do
    kill -0 "$pid" 2> /dev/null || break
    sleep 0.05
  done
  if kill -0 "$pid" 2> /dev/null; then
    echo "the engine does not end 30 seconds after SIGTERM" >&2
    kill -KILL "$pid" 2> /dev/null
  fi
  wait "$pid"
}

engine_kill() {
  [ -n "$engine_pid" ] || return 0
  kill -KILL "$engine_pid" 2> /dev/null
  wait "$engine_pid" 2> /dev/null
  engine_pid=''
}

engine_is_running() { [ -n "$engine_pid" ] && kill -0 "$engine_pid" 2> /dev/null; }

ctl() { "$engine_ctl" --control "$control_socket" "$@"; }
nfs_url() { echo "nfs://127.0.0.1/$1?nfsport=$nfs_port&mountport=$nfs_port"; }
json_number() { grep -oE "\"$1\": *-?[0-9.]+([eE][-+]?[0-9]+)?" | head -n 1 | sed 's/.*: *//'; }
