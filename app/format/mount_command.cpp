// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/format/mount_command.h"

#include <algorithm>

namespace quarry {
namespace {

constexpr int standardNfsPort = 2049;

bool isPlain(QChar c) {
  return (c >= QLatin1Char('a') && c <= QLatin1Char('z')) || (c >= QLatin1Char('A') && c <= QLatin1Char('Z')) ||
         (c >= QLatin1Char('0') && c <= QLatin1Char('9')) || QStringLiteral("-_./:,=[]%@+").contains(c);
}

QString bracketed(const QString& host) { return host.contains(QLatin1Char(':')) ? QStringLiteral("[%1]").arg(host) : host; }

}  // namespace

QString shellQuoted(const QString& argument) {
  const bool plain = !argument.isEmpty() && std::all_of(argument.begin(), argument.end(), &isPlain);
  const bool pattern = argument.contains(QLatin1Char('['));  // a shell would try it against file names
  if (plain && !pattern) return argument;
  QString quoted = argument;
  quoted.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
  return QLatin1Char('\'') + quoted + QLatin1Char('\'');
}

QString esxiMountCommand(const MountTarget& target) {
  if (target.nfsPort != standardNfsPort) return {};
  return QStringLiteral("esxcli storage nfs add -H ") + shellQuoted(target.host) + QStringLiteral(" -s ") +
         shellQuoted(QLatin1Char('/') + target.vstorage) + QStringLiteral(" -v ") + shellQuoted(target.vstorage);
}

QString linuxMountCommand(const MountTarget& target) {
  const QString port = QString::number(target.nfsPort);
  return QStringLiteral("mount -t nfs -o vers=3,proto=tcp,port=") + port + QStringLiteral(",mountport=") + port + QStringLiteral(",nolock,hard ") +
         shellQuoted(bracketed(target.host) + QStringLiteral(":/") + target.vstorage) + QLatin1Char(' ') +
         shellQuoted(QStringLiteral("/mnt/") + target.vstorage);
}

QString proxmoxMountCommand(const MountTarget& target) {
  const QString port = QString::number(target.nfsPort);
  return QStringLiteral("pvesm add nfs ") + shellQuoted(target.vstorage) + QStringLiteral(" --server ") + shellQuoted(target.host) +
         QStringLiteral(" --export ") + shellQuoted(QLatin1Char('/') + target.vstorage) + QStringLiteral(" --options vers=3,port=") + port +
         QStringLiteral(",mountport=") + port + QStringLiteral(" --content images");
}

}  // namespace quarry
