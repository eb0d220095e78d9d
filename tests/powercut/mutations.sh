#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Breaks a copy of the source on purpose in five ways, one after the other, and shows that the simulated power cuts find each of them.
# usage: mutations.sh [SOURCE [WORK]]
# SOURCE: the source, by default this checkout. WORK: a folder for the copy and its build, kept for the next time; by default one that goes.
# Ends with 0 if the unbroken copy shows no fault and every broken one does.
set -eu

source_dir=$(realpath "${1:-$(dirname "$0")/../..}")
work=${2:-}
if [ -z "$work" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
jobs=${JOBS:-$(nproc)}
runs=(--exhaustive 1 --seeds 40)

# Files that are the same keep their time, so that a kept build goes on where it was.
copy_source() {
  rm -rf "$work/incoming"
  mkdir -p "$work/incoming" "$work/source"
  if [ -e "$source_dir/.git" ]; then
    (cd "$source_dir" && git ls-files -z | tar --null -T - -cf -) | tar -C "$work/incoming" -xf -
  else
    tar -C "$source_dir" --exclude=./build -cf - . | tar -C "$work/incoming" -xf -
  fi
  (cd "$work/incoming" && find . -type f) | while read -r file; do
    cmp -s "$work/incoming/$file" "$work/source/$file" || { mkdir -p "$(dirname "$work/source/$file")" && cp "$work/incoming/$file" "$work/source/$file"; }
  done
  rm -rf "$work/incoming"
}

build() {
  cmake -S "$work/source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" > "$work/build.log" 2>&1 &&
    ninja -C "$work/build" -j "$jobs" powercut >> "$work/build.log" 2>&1 || { tail -40 "$work/build.log"; echo "the copy does not build"; exit 2; }
}

# replace FILE OLD NEW: OLD must stand there exactly once.
replace() {
  python3 - "$work/source/$1" "$2" "$3" <<'PYTHON'
import sys
path, old, new = sys.argv[1:]
text = open(path).read()
if text.count(old) != 1:
    sys.exit(f"{path}: stands there {text.count(old)} times, adapt this script: {old}")
open(path, "w").write(text.replace(old, new))
PYTHON
}

failed=0
# check NAME FILE OLD NEW [FILE OLD NEW]…
check() {
  local name=$1
  shift
  local files=()
  while [ $# -gt 0 ]; do
    cp "$work/source/$1" "$work/unbroken.${#files[@]}"
    files+=("$1")
    replace "$1" "$2" "$3"
    shift 3
  done
  build
  if timeout 600 "$work/build/tests/powercut/powercut" "${runs[@]}" > "$work/run.log" 2>&1; then
    echo "NOT FOUND  $name"
    failed=1
  else
    echo "found      $name: $(grep -m1 -a -E 'FAULT|check failed' "$work/run.log" || tail -1 "$work/run.log")"
  fi
  for i in "${!files[@]}"; do cp "$work/unbroken.$i" "$work/source/${files[$i]}"; done
}

copy_source
build
if ! timeout 600 "$work/build/tests/powercut/powercut" "${runs[@]}" > "$work/run.log" 2>&1; then
  cat "$work/run.log"
  echo "the unbroken copy shows a fault"
  exit 2
fi
echo "unbroken   $(tail -1 "$work/run.log")"

check "a sync is skipped: of a container's head" engine/blockstore/container_writer.cpp \
  "  if (written) written = co_await (*file)->sync();
  if (written) written = fileSystem.syncDirectory(folder);" \
  "  if (written) written = fileSystem.syncDirectory(folder);"

check "the hole is punched before the recipe is committed" engine/dedup/recipe_committer.cpp \
  "  const auto written = co_await m_recipes.commit(std::move(transaction));" \
  "  for (const PendingRecipe& pending : batch) co_await punch(pending);
  const auto written = co_await m_recipes.commit(std::move(transaction));"

check "a stable write is answered before the journal has it" engine/vstorage/exported_vstorage_data.cpp \
  "return isStable ? Keep::Journaled : Keep::Dirty;" \
  "return Keep::Dirty;"

check "a shortening leaves the recipes as they are" engine/vstorage/stored_file.cpp \
  "    const auto truncated = co_await m_shared.recipes.truncate(m_fileid, from / blockBytes);" \
  "    const Result<void> truncated;"

check "the next fileid is saved one too low" engine/metadata/inode_creation.cpp \
  'inode_store::setCounter(database, "next_fileid", inode.fileid + 1)' \
  'inode_store::setCounter(database, "next_fileid", inode.fileid)'

exit $failed
