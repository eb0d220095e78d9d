#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes small VM disks from this machine's own programs: ext4 file systems, laid out as ESXi lays out its VMs (NAME/NAME.vmx,
# NAME/NAME.vmdk, NAME/NAME-flat.vmdk). Three VMs share a base and differ in their role; a fourth is a clone of the first with its own
# name and data. Needs no root.
#   demo_disks.sh FOLDER [MIB]     MIB: about how much each role and the base hold (default 64)
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd) mib=${2:-64}
PATH=$PATH:/usr/sbin:/sbin
command -v mke2fs > /dev/null || { echo "demo_disks: mke2fs is missing (package e2fsprogs)" >&2; exit 1; }
# The trees are read once and thrown away: memory is quicker where there is enough of it.
shared_kib=$(df --output=avail /dev/shm 2> /dev/null | tail -n 1) || shared_kib=0
if [ "${shared_kib:-0}" -gt $((16 * mib * 1024)) ] && [ -w /dev/shm ]; then work=$(mktemp -d -p /dev/shm); else work=$(mktemp -d); fi
trap 'rm -rf "$work"' EXIT

# copy_some TREE MIB FOLDER…: readable files of the folders, in order of name, until about MIB are reached
copy_some() {
  local tree=$1 bytes=$(($2 << 20))
  shift 2
  mkdir -p "$tree"
  find "$@" -xdev -type f -readable -size -8M -printf '%s %p\n' 2> /dev/null | LC_ALL=C sort -k 2 |
    awk -v left="$bytes" '{ left -= $1; if (left >= 0) print substr($0, length($1) + 2) }' > "$work/list" || true
  [ -s "$work/list" ] || { echo "demo_disks: nothing to copy in $*" >&2; return 1; }
  tar -C / -cf - --files-from="$work/list" --absolute-names 2> /dev/null | tar -C "$tree" -xf - --strip-components=1 2> /dev/null || true
  # A file that went away meanwhile does no harm; a disk without content would make every figure worthless.
  [ "$(du -sm "$tree" | cut -f 1)" -ge $((bytes >> 21)) ] || { echo "demo_disks: less than half of what was to be copied from $* is there" >&2; return 1; }
}

# lay_out NAME TREE: the VM's folder, with its own host name and 4 MiB of data that no other VM has
lay_out() {
  local name=$1 tree=$2 folder=$out/$1 sectors
  mkdir -p "$folder" "$tree/etc" "$tree/home"
  echo "$name" > "$tree/etc/hostname"
  head -c $((4 << 20)) /dev/urandom > "$tree/home/data.bin"
  truncate -s $((4 * mib))M "$folder/$name-flat.vmdk"
  mke2fs -q -F -t ext4 -E root_owner=0:0 -d "$tree" "$folder/$name-flat.vmdk"
  sectors=$((4 * mib * 2048))
  cat > "$folder/$name.vmdk" << D
# Disk DescriptorFile
version=1
CID=fffffffe
parentCID=ffffffff
createType="vmfs"

# Extent description
RW $sectors VMFS "$name-flat.vmdk"

# The Disk Data Base
ddb.virtualHWVersion = "14"
ddb.geometry.cylinders = "$((sectors / 16065))"
ddb.geometry.heads = "255"
ddb.geometry.sectors = "63"
ddb.adapterType = "lsilogic"
D
  cat > "$folder/$name.vmx" << V
.encoding = "UTF-8"
config.version = "8"
virtualHW.version = "14"
displayName = "$name"
guestOS = "debian11-64"
memSize = "1024"
numvcpus = "1"
scsi0.present = "TRUE"
scsi0.virtualDev = "lsilogic"
scsi0:0.present = "TRUE"
scsi0:0.fileName = "$name.vmdk"
V
}

# Every VM holds the base first; each role adds what differs.
make_vm() {
  local name=$1
  shift
  copy_some "$work/$name" "$mib" /usr/bin /usr/sbin
  copy_some "$work/$name" "$mib" "$@"
  lay_out "$name" "$work/$name"
}

make_vm web /usr/lib/python3 /usr/lib/python3.11 /usr/share/perl /usr/share/doc
make_vm db /usr/lib/gcc /usr/include /usr/share/cmake-3.25
make_vm files /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu
lay_out web-clone "$work/web"
