// SPDX-License-Identifier: GPL-3.0-or-later
// The commands an administrator copies to a host so that it mounts a vstorage. Arguments are quoted for a POSIX shell where needed, so
// no name can become a second command. Pure functions, safe from any thread.
#pragma once

#include <QString>

namespace quarry {

struct MountTarget {
  QString host;  // address under which hosts reach the engine; IPv6 without brackets
  int nfsPort = 2049;
  QString vstorage;
};

// ESXi can only mount from port 2049: empty when the engine listens elsewhere.
QString esxiMountCommand(const MountTarget& target);
QString linuxMountCommand(const MountTarget& target);
QString proxmoxMountCommand(const MountTarget& target);

QString shellQuoted(const QString& argument);

}  // namespace quarry
