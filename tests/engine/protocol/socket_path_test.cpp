// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/socket_path.h"

#include <QTest>

using namespace quarry::protocol;

class SocketPathTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void runtimeFolderComesFirst() { QCOMPARE(controlSocketFor("/run/user/7", 0), std::string("/run/user/7/quarry/control.sock")); }
  void rootWithoutOne() { QCOMPARE(controlSocketFor("", 0), std::string("/run/quarry/control.sock")); }
  void userWithoutOne() { QCOMPARE(controlSocketFor("", 1000), std::string("/tmp/quarry-1000/control.sock")); }
  void readsTheEnvironment() {
    qputenv("XDG_RUNTIME_DIR", "/somewhere");
    QCOMPARE(defaultControlSocket(), std::string("/somewhere/quarry/control.sock"));
  }
};

QTEST_GUILESS_MAIN(SocketPathTest)
#include "socket_path_test.moc"
