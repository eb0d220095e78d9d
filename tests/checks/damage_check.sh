#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Damages a store in five ways. Each must give a clear error that names what is affected; whatever is not damaged stays readable and
# right; nothing wrong is ever delivered; the engine never crashes.
#   damage_check.sh          the last two cases need root, for a small disk and a file system without holes; otherwise they are skipped
# Environment: BUILD=DIR another build. Exit status: 0 all held, 1 not, 2 wrong usage.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build_dir=${BUILD:-$root/build/release}
[ $# -eq 0 ] || { sed -n '3,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
# shellcheck source=tests/support/engine.sh
source "$root/tests/support/engine.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/quarry-damage.XXXXXX")
mounted=''
unmount() { [ -z "$mounted" ] || umount "$mounted"; mounted=''; }
clean_up() {
  local status=$?
  trap - EXIT
  engine_kill
  unmount
  rm -rf "$work"
  exit $status
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
fail() {
  echo "damage_check: $*" >&2
  [ ! -s "$work/engine/engine.log" ] || tail -n 5 "$work/engine/engine.log" >&2
  exit 1
}
nfs_tree=$(program nfs_tree) || exit 1
nfs_fill=$(program nfs_fill) || exit 1
engine_use "$work/engine"

# A copy of the optimized store that a case may spoil.
fresh_copy() {
  rm -rf "${work:?}/store"
  cp -a --sparse=always "$work/good" "$work/store"
}
biggest_container() { find "$work/store/containers" -name '*.qc' -printf '%s %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2-; }
stop() { engine_stop || fail "$1: the engine crashed or did not stop cleanly"; }

# Reads everything: right or an error, never wrong. Leaves the counts in good_count and bad_count, the errors in $work/errors.
read_all() {
  "$nfs_tree" sum "$(nfs_url vms)" > "$work/read" 2> "$work/errors"
  engine_is_running || fail "$1: the engine ended while files were read"
  if grep -vxFf "$work/sums" "$work/read" > "$work/wrong"; then
    cat "$work/wrong" >&2
    fail "$1: a file was delivered with wrong content"
  fi
  good_count=$(wc -l < "$work/read")
  bad_count=$(($(wc -l < "$work/sums") - good_count))
}

# At least one file unreadable, at least one readable, and the events name file and VM of what is damaged.
expect_partial_damage() {
  local case=$1 unreadable vm
  read_all "$case"
  [ "$bad_count" -gt 0 ] || fail "$case: the damage was not noticed"
  [ "$good_count" -gt 0 ] || fail "$case: nothing at all can be read any more"
  unreadable=$(grep -oE 'read /[^ ]+' "$work/errors" | head -n 1 | cut -d / -f 2-)
  vm=${unreadable%%/*}
  sleep 1.2
  ctl event list > "$work/events" || fail "$case: no events"
  grep -F "$unreadable" "$work/events" | grep -qF "$vm" || { cat "$work/events" >&2; fail "$case: no event names $unreadable"; }
  echo "   $good_count files right, $bad_count refused; event: $(grep -F "$unreadable" "$work/events" | head -n 1)"
}

echo "0. A store with optimized VMs"
"$root/installer/demo_disks.sh" "$work/vms" 12 || fail "no VM disks"
(cd "$work/vms" && find . -type f -print0 | xargs -0 sha256sum | LC_ALL=C sort -k 2) > "$work/sums"
engine_start "$work/good" || fail "the engine did not start"
ctl vstorage create vms > /dev/null || fail "no vstorage"
"$nfs_tree" put "$work/vms" "$(nfs_url vms)" || fail "copying failed"
ctl job start optimize --min-age 0 --wait > /dev/null || fail "optimize failed"
read_all "before any damage"
[ "$bad_count" -eq 0 ] || fail "files cannot be read before any damage"
stop "before any damage"

echo "1. Truncated container"
fresh_copy
container=$(biggest_container)
truncate -s $(($(stat -c %s "$container") / 2)) "$container"
engine_start "$work/store" || fail "a truncated container keeps the engine from starting"
expect_partial_damage "truncated container"
stop "truncated container"

echo "2. Flipped bit in a frame"
fresh_copy
container=$(biggest_container)
at=$(($(stat -c %s "$container") * 2 / 3))
byte=$(od -An -tu1 -j $at -N 1 "$container" | tr -d ' ')
printf '%b' "\\0$(printf '%03o' $((byte ^ 16)))" | dd of="$container" bs=1 seek=$at conv=notrunc status=none
engine_start "$work/store" || fail "a flipped bit keeps the engine from starting"
expect_partial_damage "flipped bit"
stop "flipped bit"

echo "3. blocks.db deleted"
fresh_copy
mkdir "$work/aside"
mv "$work/store"/blocks.db* "$work/aside/"
if engine_start "$work/store" 2> "$work/errors"; then
  # Serving is allowed only if what is lost is refused.
  expect_partial_damage "blocks.db deleted"
  stop "blocks.db deleted"
else
  [ "$engine_status" -eq 1 ] || fail "blocks.db deleted: exit status $engine_status"
  grep -q 'blocks.db' "$work/errors" || { cat "$work/errors" >&2; fail "the refusal does not name blocks.db"; }
  grep -q 'web' "$work/errors" || { cat "$work/errors" >&2; fail "the refusal does not name the VMs"; }
  echo "   refused: $(grep 'blocks.db' "$work/errors" | tail -n 1)"
fi
rm -f "$work/store"/blocks.db*
mv "$work/aside"/* "$work/store/"
engine_start "$work/store" || fail "with blocks.db put back the engine does not start"
read_all "blocks.db put back"
[ "$bad_count" -eq 0 ] || fail "the start without blocks.db harmed the store: $bad_count files cannot be read"
echo "   put back: all $good_count files right"
stop "blocks.db put back"

if [ "$(id -u)" -ne 0 ]; then
  echo "4., 5. skipped: they need root"
  echo "damage_check: cases 1 to 3 held"
  exit 0
fi

mkdir "$work/disk"
echo "4. Full disk"
truncate -s 256M "$work/disk.img"
mke2fs -q -F -t ext4 -m 0 "$work/disk.img"
mount -o loop "$work/disk.img" "$work/disk" || fail "no small disk"
mounted=$work/disk
engine_start "$work/disk/store" || fail "the engine does not start on a small disk"
ctl vstorage create vms > /dev/null || fail "no vstorage on a small disk"
mkdir -p "$work/small/first"
head -c 20000000 /dev/urandom > "$work/small/first/first.img"
"$nfs_tree" put "$work/small" "$(nfs_url vms)" || fail "the small file does not fit"
filled=$("$nfs_fill" "$nfs_port" /vms second second.img 400) || fail "the server does not answer when the disk is full"
case $filled in
  *"nfsstat3 28") echo "   client: $filled (NFS3ERR_NOSPC)" ;;
  *) fail "a full disk answers '$filled', not NFS3ERR_NOSPC (28)" ;;
esac
engine_is_running || fail "the engine ended when the disk was full"
"$nfs_tree" diff "$work/small" "$(nfs_url vms)" || fail "the file that was there is damaged"
ctl job start optimize --min-age 0 --wait > "$work/job" 2>&1
job_status=$?
engine_is_running || fail "the engine ended while optimizing on a full disk"
[ $job_status -le 1 ] || fail "optimize on a full disk: exit status $job_status"
echo "   optimize on it: status $job_status, $(tail -n 1 "$work/job")"
"$nfs_tree" diff "$work/small" "$(nfs_url vms)" || fail "optimizing on a full disk damaged a file"
stop "full disk"
engine_start "$work/disk/store" || fail "the engine does not start on a full disk"
"$nfs_tree" diff "$work/small" "$(nfs_url vms)" || fail "after a restart on a full disk a file is damaged"
stop "full disk, restarted"
unmount

echo "5. File systems that a store cannot live on"
expect_refusal() {  # WHAT
  if engine_start "$work/disk/store" 2> "$work/errors"; then
    engine_kill
    fail "$1: accepted"
  fi
  [ "$engine_status" -eq 1 ] || fail "$1: exit status $engine_status"
  grep -qiE 'hole|O_DIRECT|direct' "$work/errors" || { cat "$work/errors" >&2; fail "$1: the reason is not told"; }
  echo "   $1: $(grep -iE 'hole|direct' "$work/errors" | tail -n 1)"
}
mount -t ramfs none "$work/disk" || fail "no ramfs"
mounted=$work/disk
expect_refusal "without holes (ramfs)"
unmount
mke2fs -q -F -t ext4 -O bigalloc -C 65536 "$work/disk.img"
if mount -o loop "$work/disk.img" "$work/disk" 2> /dev/null; then
  mounted=$work/disk
  expect_refusal "holes of 64 KiB only (ext4 with bigalloc)"
  unmount
fi
echo "damage_check: all held"
