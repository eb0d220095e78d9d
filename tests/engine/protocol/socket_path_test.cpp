// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/socket_path.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <cstring>

using namespace quarry::protocol;
using Paths = std::vector<std::string>;

class SocketPathTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // A login session of root has a runtime folder, the engine's service has none: both must mean the same socket.
  void rootHasOnePlace() {
    QCOMPARE(controlSocketsFor("", 0), Paths{"/run/quarry/control.sock"});
    QCOMPARE(controlSocketsFor("/run/user/0", 0), Paths{"/run/quarry/control.sock"});
  }
  void usersRuntimeFolderComesFirst() {
    QCOMPARE(controlSocketsFor("/run/user/7", 7), (Paths{"/run/user/7/quarry/control.sock", "/tmp/quarry-7/control.sock", "/run/quarry/control.sock"}));
    QCOMPARE(controlSocketsFor("", 1000).front(), std::string("/tmp/quarry-1000/control.sock"));
  }
  void readsTheEnvironment() {
    qputenv("XDG_RUNTIME_DIR", "/somewhere");
    QCOMPARE(defaultControlSocket(), controlSocketsFor("/somewhere", ::geteuid()).front());
  }
  void clientFindsTheSocketThatIsThere() {
    if (::geteuid() == 0) QSKIP("root has one place only");
    QTemporaryDir folder;
    qputenv("XDG_RUNTIME_DIR", folder.path().toUtf8());
    QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("quarry")));
    const std::string path = folder.filePath(QStringLiteral("quarry/control.sock")).toStdString();
    const int listening = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    QVERIFY(path.size() < sizeof address.sun_path);
    std::memcpy(address.sun_path, path.c_str(), path.size());
    QCOMPARE(::bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    QCOMPARE(findControlSocket(), path);
    ::close(listening);
  }
};

QTEST_GUILESS_MAIN(SocketPathTest)
#include "socket_path_test.moc"
