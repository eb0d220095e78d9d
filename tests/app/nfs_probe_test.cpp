// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/client/nfs_probe.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QtTest>

using namespace quarry;

namespace {

const QByteArray call = QByteArray::fromHex("80000028" "51554152" "00000000" "00000002" "000186a3" "00000003" "00000000" "0000000000000000" "0000000000000000");
const QByteArray accepted = QByteArray::fromHex("80000018" "51554152" "00000001" "00000000" "0000000000000000" "00000000");
const QByteArray wrongVersion = QByteArray::fromHex("80000020" "51554152" "00000001" "00000000" "0000000000000000" "00000002" "0000000400000004");

// Takes one connection, keeps what it is sent, answers with fixed bytes.
class Server : public QTcpServer {
 public:
  explicit Server(QByteArray reply) : m_reply(std::move(reply)) {
    connect(this, &QTcpServer::newConnection, this, [this] {
      QTcpSocket* socket = nextPendingConnection();
      connect(socket, &QTcpSocket::readyRead, this, [this, socket] {
        received += socket->readAll();
        if (received.size() >= call.size()) socket->write(m_reply);
      });
    });
    listen(QHostAddress::LocalHost);
  }
  QByteArray received;

 private:
  QByteArray m_reply;
};

}  // namespace

class NfsProbeTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void servingServer() {
    Server server(accepted);
    const auto reply = probeNfs(QStringLiteral("127.0.0.1"), server.serverPort());
    QTRY_VERIFY(reply.isFinished());
    QVERIFY2(reply.result().has_value(), "the call was refused");
    QVERIFY(reply.result()->contains(QString::number(server.serverPort())));
    QCOMPARE(server.received, call);
  }

  void anotherProgramVersion() {
    Server server(wrongVersion);
    const auto reply = probeNfs(QStringLiteral("127.0.0.1"), server.serverPort());
    QTRY_VERIFY(reply.isFinished());
    QCOMPARE(reply.result().error().code, ErrorCode::Protocol);
  }

  void silentServer() {
    Server server({});
    const auto reply = probeNfs(QStringLiteral("127.0.0.1"), server.serverPort(), std::chrono::milliseconds(50));
    QTRY_VERIFY(reply.isFinished());
    QCOMPARE(reply.result().error().code, ErrorCode::Timeout);
  }

  void nobodyThere() {
    int port = 0;
    {
      Server gone(accepted);
      port = gone.serverPort();
    }
    const auto reply = probeNfs(QStringLiteral("127.0.0.1"), port);
    QTRY_VERIFY(reply.isFinished());
    QCOMPARE(reply.result().error().code, ErrorCode::Disconnected);
  }
};

QTEST_GUILESS_MAIN(NfsProbeTest)
#include "nfs_probe_test.moc"
