// SPDX-License-Identifier: GPL-3.0-or-later
// The commands an administrator copies to a host so that it mounts a vstorage. Arguments are quoted for a POSIX shell where needed, so
// no name can become a second command. Pure functions, safe from any thread.
#pragma once

#include <QString>

namespace quarry {

inline constexpr int esxiNameLengthMax = 42;  // of a datastore

struct MountTarget {
  QString host;  // address under which hosts reach the engine; IPv6 without brackets; empty: there is none
  int nfsPort = 2049;
  QString vstorage;
};

struct MountCommand {
  QString text;     // empty: this kind of host cannot mount it
  QString problem;  // why the text is empty, and what to do
};

MountCommand esxiMountCommand(const MountTarget& target);
MountCommand linuxMountCommand(const MountTarget& target);
MountCommand proxmoxMountCommand(const MountTarget& target);

// ESXi and Proxmox ask the server's port mapper (port 111) before they mount; the engine has none.
QString portMapperHint();

QString shellQuoted(const QString& argument);

}  // namespace quarry
