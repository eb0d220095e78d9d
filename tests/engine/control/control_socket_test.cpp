// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/control/control_socket.h"

#include <sys/stat.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/line_client.h"

using namespace quarry;

class ControlSocketTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void onlyItsOwnerMayUseIt() {
    ControlSocket socket(m_io);
    QVERIFY(socket.listen(path("new/deep/control.sock")).has_value());
    QCOMPARE(modeOf("new/deep/control.sock"), 0600u);
    QCOMPARE(modeOf("new/deep"), 0700u);
    QVERIFY(LineClient(path("new/deep/control.sock")).isConnected());
    socket.close();
    QVERIFY(!QFile::exists(text("new/deep/control.sock")));
  }

  void secondEngineIsRefused() {
    ControlSocket first(m_io);
    QVERIFY(first.listen(path("twice.sock")).has_value());
    {
      ControlSocket second(m_io);
      const auto listening = second.listen(path("twice.sock"));
      QVERIFY(!listening && listening.error().code == ErrorCode::Locked);
    }
    QVERIFY(LineClient(path("twice.sock")).isConnected());
  }

  void foreignListenerIsLeftAlone() {
    asio::local::stream_protocol::acceptor other(m_io, asio::local::stream_protocol::endpoint(path("other.sock")));
    ControlSocket socket(m_io);
    const auto listening = socket.listen(path("other.sock"));
    QVERIFY(!listening && listening.error().code == ErrorCode::Locked);
    QVERIFY(LineClient(path("other.sock")).isConnected());
  }

  void staleSocketIsReplaced() {
    {
      asio::local::stream_protocol::acceptor dead(m_io, asio::local::stream_protocol::endpoint(path("stale.sock")));
    }
    QVERIFY(QFile::exists(text("stale.sock")));
    ControlSocket socket(m_io);
    QVERIFY(socket.listen(path("stale.sock")).has_value());
    QVERIFY(LineClient(path("stale.sock")).isConnected());
  }

  void otherFilesAreKept() {
    QFile file(text("notes.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("keep me") == 7);
    file.close();
    ControlSocket socket(m_io);
    QVERIFY(socket.listen(path("notes.txt")).error().code == ErrorCode::Exists);
    QCOMPARE(QFile(text("notes.txt")).size(), qint64{7});
  }

  void folderThatOthersMayChangeIsRefused() {
    QVERIFY(::mkdir(path("open").c_str(), 0777) == 0 && ::chmod(path("open").c_str(), 0777) == 0);
    ControlSocket socket(m_io);
    QVERIFY(socket.listen(path("open/control.sock")).error().code == ErrorCode::AccessDenied);
  }

  void longPathIsRefused() {
    ControlSocket socket(m_io);
    QVERIFY(socket.listen(path(std::string(120, 'a'))).error().code == ErrorCode::NameTooLong);
  }

 private:
  std::string path(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }
  QString text(const std::string& name) const { return QString::fromStdString(path(name)); }
  unsigned modeOf(const std::string& name) const {
    struct stat found {};
    return ::stat(path(name).c_str(), &found) == 0 ? found.st_mode & 07777 : 0;
  }

  QTemporaryDir m_folder;
  asio::io_context m_io;
};

QTEST_GUILESS_MAIN(ControlSocketTest)
#include "control_socket_test.moc"
