#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# qemu-img reads VM disks straight from an export, before and after optimizing: info, check, compare. QEMU's NFS driver asks the port
# mapper of the server, so all of it runs in a network namespace of its own, where 127.0.0.1:111 is free.
#   qemu_check.sh            as root, or where ordinary users may make namespaces
# Environment: BUILD=DIR another build. Exit status: 0 all held, 1 not, 2 wrong usage.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build_dir=${BUILD:-$root/build/release}
[ $# -eq 0 ] || { sed -n '3,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }

if [ -z "${QUARRY_IN_NAMESPACE:-}" ]; then
  own_user=()
  [ "$(id -u)" -eq 0 ] || own_user=(--user --map-root-user)
  export QUARRY_IN_NAMESPACE=yes
  exec unshare "${own_user[@]}" --net -- "$0"
fi
ip link set lo up || exit 1
# shellcheck source=tests/support/engine.sh
source "$root/tests/support/engine.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/quarry-qemu.XXXXXX")
portmap_pid=''
clean_up() {
  local status=$?
  trap - EXIT
  [ -z "$portmap_pid" ] || { kill "$portmap_pid"; wait "$portmap_pid"; } 2> /dev/null
  engine_kill
  rm -rf "$work"
  exit $status
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
fail() { echo "qemu_check: $*" >&2; exit 1; }
nfs_tree=$(program nfs_tree) || exit 1

"$root/installer/demo_disks.sh" "$work/vms" 12 || fail "no VM disks"
qemu-img convert -O qcow2 "$work/vms/web/web-flat.vmdk" "$work/vms/web/web.qcow2" || fail "no qcow2 disk"

engine_use "$work/engine"
engine_start "$work/store" || fail "the engine did not start"
python3 "$root/tests/checks/portmap.py" "$nfs_port" > "$work/portmap" &
portmap_pid=$!
for _ in $(seq 100); do grep -q ready "$work/portmap" && break; sleep 0.05; done
grep -q ready "$work/portmap" || fail "no port mapper"
ctl vstorage create vms > /dev/null || fail "no vstorage"
"$nfs_tree" put "$work/vms" "$(nfs_url vms)" || fail "copying failed"

look() {
  local remote=nfs://127.0.0.1/vms
  qemu-img info "$remote/web/web-flat.vmdk" > "$work/info" || fail "$1: info of the flat disk"
  grep -q 'virtual size: 48 MiB' "$work/info" || { cat "$work/info" >&2; fail "$1: info tells another size"; }
  # QEMU 7.2's NFS driver takes the descriptor itself for the folder of its extents, so the descriptor is opened as the small file it is.
  qemu-img info -f raw "$remote/web/web.vmdk" > "$work/info" || fail "$1: info of the VMDK descriptor"
  qemu-img check "$remote/web/web.qcow2" > "$work/info" || { cat "$work/info" >&2; fail "$1: check of the qcow2 disk"; }
  for vm in web db files web-clone; do
    qemu-img compare -f raw -F raw "$work/vms/$vm/$vm-flat.vmdk" "$remote/$vm/$vm-flat.vmdk" > "$work/info" || { cat "$work/info" >&2; fail "$1: $vm"; }
  done
  qemu-img compare -f raw -F qcow2 "$work/vms/web/web-flat.vmdk" "$remote/web/web.qcow2" > "$work/info" || fail "$1: the qcow2 disk"
  echo "info, check and compare agree: $1"
}
look "as written"
ctl job start optimize --min-age 0 --wait > /dev/null || fail "optimize failed"
look "optimized"

# A disk written by QEMU itself into the export.
qemu-img create -q -f raw nfs://127.0.0.1/vms/web/new.raw 48M || fail "QEMU cannot make a disk"
qemu-img convert -n -f raw -O raw "$work/vms/db/db-flat.vmdk" nfs://127.0.0.1/vms/web/new.raw || fail "QEMU cannot write a disk"
qemu-img compare -f raw -F raw "$work/vms/db/db-flat.vmdk" nfs://127.0.0.1/vms/web/new.raw > "$work/info" || fail "what QEMU wrote differs"
echo "a disk written by QEMU reads back the same"
engine_stop || fail "the engine did not stop cleanly"
echo "qemu_check: all held"
