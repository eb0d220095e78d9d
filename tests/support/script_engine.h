// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a shell script that stands in for quarryd. In it, `ready SOCKET` prints the ready line. A plain function.
#pragma once

#include <QFile>
#include <QString>

namespace quarry::test {

// The script's path; empty when it could not be written.
inline QString writeScript(const QString& path, const QByteArray& body) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)) return {};
  file.write("#!/bin/sh\nready() { echo \"ready nfs=127.0.0.1:2049 control=$1\"; }\n" + body + "\n");
  file.close();
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return path;
}

}  // namespace quarry::test
