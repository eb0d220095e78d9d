#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds everything and runs all quick tests: once as it is (preset dev), then the engine's tests and fuzzers under the address and
# undefined-behaviour sanitizers (preset asan). Needs no display.
#   run.sh [--no-setup] [--no-asan]
# Exit status: 0 all passed, 1 something failed, 2 wrong usage.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
setup=yes asan=yes
for argument in "$@"; do
  case $argument in
    --no-setup) setup=no ;;
    --no-asan) asan=no ;;
    *) sed -n '3,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done

fail() { echo "tests: $*" >&2; exit 1; }
summary=() failed=no passed_count=0 failed_count=0

# build PRESET TARGET…
build() {
  local preset=$1 log=$root/build/$1.log started=$SECONDS
  shift
  mkdir -p build
  if ! cmake --preset "$preset" > "$log" 2>&1; then
    tail -n 20 "$log" >&2
    fail "preset $preset could not be configured"
  fi
  if ! cmake --build --preset "$preset" --target "$@" >> "$log" 2>&1; then
    grep -nE 'error|FAILED|undefined reference' "$log" | head -n 40 >&2
    fail "preset $preset does not build (whole log: build/$preset.log)"
  fi
  echo "tests: preset $preset built in $((SECONDS - started)) s"
}

# run_tests PRESET CTEST-OPTION…
run_tests() {
  local preset=$1 log=$root/build/$1-tests.log started=$SECONDS verdict=passed
  shift
  ctest --test-dir "build/$preset" --output-on-failure -j2 --no-tests=error "$@" > "$log" 2>&1 || { verdict=FAILED failed=yes; }
  if [ $verdict = FAILED ]; then cat "$log"; else tail -n 4 "$log"; fi
  local failed_here ran_here
  read -r failed_here ran_here <<< "$(sed -nE 's/.*, ([0-9]+) tests failed out of ([0-9]+).*/\1 \2/p' "$log" | head -n 1)"
  failed_count=$((failed_count + ${failed_here:-0}))
  passed_count=$((passed_count + ${ran_here:-0} - ${failed_here:-0}))
  summary+=("$preset: $verdict, $(grep -E 'tests passed|No tests' "$log" | head -n 1) in $((SECONDS - started)) s")
}

[ $setup = no ] || installer/setup.sh --build --test || exit 1
build dev all
run_tests dev
if [ $asan = yes ]; then
  build asan engine_tests
  export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
  run_tests asan -L engine
fi

for line in "${summary[@]}"; do echo "tests: $line"; done
echo "$passed_count passed, $failed_count failed"
[ $failed = no ] || exit 1
echo "tests: all passed"
