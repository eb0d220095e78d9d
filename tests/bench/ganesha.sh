# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs nfs-ganesha (Debian packages nfs-ganesha, nfs-ganesha-vfs, rpcbind) over a folder, for comparison. It insists on a portmapper, so both run
# in a network and a mount namespace of their own: nothing of this machine's is touched, no port is taken, and clients enter with ganesha_run.
#   ganesha_start WORK-FOLDER EXPORT-FOLDER   1 with $ganesha_reason when it cannot run here
#   ganesha_run COMMAND…                      in its network
#   ganesha_stop
# Sets ganesha_pid, ganesha_port, ganesha_mount_port, ganesha_folder. Only processes started here are ended.
ganesha_pid='' ganesha_rpcbind_pid='' ganesha_reason=''
ganesha_port=20491 ganesha_mount_port=20492 ganesha_folder=''

ganesha_missing() {
  local tool
  [ "$(id -u)" -eq 0 ] || { echo "it needs root, for namespaces and to open files by handle"; return; }
  for tool in ganesha.nfsd rpcbind unshare nsenter ip; do
    command -v "$tool" > /dev/null || { echo "$tool is missing: apt-get install nfs-ganesha nfs-ganesha-vfs rpcbind util-linux iproute2"; return; }
  done
  ls /usr/lib/*/ganesha/libfsalvfs.so > /dev/null 2>&1 || echo "its VFS module is missing: apt-get install nfs-ganesha-vfs"
}

ganesha_configure() {
  cat > "$1/ganesha.conf" << CONFIG
NFS_CORE_PARAM {
  NFS_Protocols = 3; NFS_Port = $ganesha_port; MNT_Port = $ganesha_mount_port;
  Enable_NLM = false; Enable_RQUOTA = false; Enable_UDP = false;
}
NFS_KRB5 { Active_krb5 = false; }
EXPORT {
  Export_Id = 1; Path = $ganesha_folder; Pseudo = /export; Protocols = 3; Transports = TCP;
  Access_Type = RW; Squash = None; SecType = sys; MaxRead = 1048576; MaxWrite = 1048576;
  FSAL { Name = VFS; }
}
CONFIG
}

ganesha_start() {
  local work=$1
  ganesha_folder=$2
  ganesha_reason=$(ganesha_missing)
  [ -z "$ganesha_reason" ] || return 1
  mkdir -p "$work" "$ganesha_folder"
  ganesha_configure "$work"
  # shellcheck disable=SC2016  # for the inner shell
  unshare --mount --net bash -c '
    ip link set lo up && mount -t tmpfs tmpfs /run && mkdir -p /run/rpcbind /run/ganesha || exit 1
    rpcbind -w -f & echo $! > "$1/rpcbind.pid"
    until [ -S /run/rpcbind.sock ]; do kill -0 $! || exit 1; sleep 0.05; done
    exec ganesha.nfsd -F -f "$1/ganesha.conf" -L "$1/ganesha.log" -p "$1/ganesha.pid" -N CRIT' ganesha "$work" > "$work/ganesha.out" 2>&1 &
  ganesha_pid=$!
  for _ in $(seq 300); do
    ganesha_rpcbind_pid=$(cat "$work/rpcbind.pid" 2> /dev/null)
    kill -0 "$ganesha_pid" 2> /dev/null || break
    ganesha_run bash -c "exec 3<>/dev/tcp/127.0.0.1/$ganesha_port" 2> /dev/null && return 0
    sleep 0.1
  done
  ganesha_reason="it did not start: $(cat "$work/ganesha.out" "$work/ganesha.log" 2> /dev/null | grep -v DBUS | tail -n 2)"
  ganesha_stop
  return 1
}

ganesha_run() { nsenter --target "$ganesha_pid" --net -- "$@"; }

ganesha_stop() {
  local pid
  for pid in $ganesha_pid $ganesha_rpcbind_pid; do kill -KILL "$pid" 2> /dev/null; done
  [ -z "$ganesha_pid" ] || wait "$ganesha_pid" 2> /dev/null
  ganesha_pid='' ganesha_rpcbind_pid=''
}
