// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/format/mount_command.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

namespace quarry {
namespace {

constexpr int standardNfsPort = 2049;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(MountCommand)
};

MountCommand without(const QString& problem) { return {{}, problem}; }

QString noAddress() { return Words::tr("This machine has no address for hosts: set one in Settings."); }

// What Proxmox takes for the id of a storage.
bool isProxmoxId(const QString& name) {
  static const QRegularExpression id(QStringLiteral("^[A-Za-z][A-Za-z0-9._-]*[A-Za-z0-9]$"));
  return id.match(name).hasMatch();
}

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

MountCommand esxiMountCommand(const MountTarget& target) {
  if (target.host.isEmpty()) return without(noAddress());
  if (target.nfsPort != standardNfsPort) return without(Words::tr("ESXi mounts from port 2049 only; the engine listens on %1.").arg(target.nfsPort));
  if (target.vstorage.size() > esxiNameLengthMax)
    return without(Words::tr("ESXi takes names of at most %1 characters; this one has %2.").arg(esxiNameLengthMax).arg(target.vstorage.size()));
  return {QStringLiteral("esxcli storage nfs add -H ") + shellQuoted(target.host) + QStringLiteral(" -s ") +
              shellQuoted(QLatin1Char('/') + target.vstorage) + QStringLiteral(" -v ") + shellQuoted(target.vstorage),
          {}};
}

MountCommand linuxMountCommand(const MountTarget& target) {
  if (target.host.isEmpty()) return without(noAddress());
  const QString port = QString::number(target.nfsPort);
  const QString place = shellQuoted(QStringLiteral("/mnt/") + target.vstorage);
  return {QStringLiteral("mkdir -p ") + place + QStringLiteral(" && mount -t nfs -o vers=3,proto=tcp,port=") + port + QStringLiteral(",mountport=") +
              port + QStringLiteral(",nolock,hard ") + shellQuoted(bracketed(target.host) + QStringLiteral(":/") + target.vstorage) +
              QLatin1Char(' ') + place,
          {}};
}

MountCommand proxmoxMountCommand(const MountTarget& target) {
  if (target.host.isEmpty()) return without(noAddress());
  if (!isProxmoxId(target.vstorage))
    return without(Words::tr("Proxmox takes names that begin with a letter and end with a letter or digit, at least two of them."));
  const QString port = QString::number(target.nfsPort);
  return {QStringLiteral("pvesm add nfs ") + shellQuoted(target.vstorage) + QStringLiteral(" --server ") + shellQuoted(target.host) +
              QStringLiteral(" --export ") + shellQuoted(QLatin1Char('/') + target.vstorage) + QStringLiteral(" --options vers=3,proto=tcp,port=") +
              port + QStringLiteral(",mountport=") + port + QStringLiteral(",nolock --content images"),
          {}};
}

QString portMapperHint() {
  return Words::tr("ESXi and Proxmox need a port mapper as well: see README, Limits.");
}

}  // namespace quarry
