// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/net/client_socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <QTest>

using asio::ip::tcp;
using namespace quarry;

class ClientSocketTest : public QObject {
  Q_OBJECT

  static int option(tcp::socket& socket, int level, int name) {
    int value = -1;
    socklen_t size = sizeof value;
    return ::getsockopt(socket.native_handle(), level, name, &value, &size) == 0 ? value : -1;
  }

 private Q_SLOTS:
  void deadHostsAreNoticedInMinutes() {
    asio::io_context context;
    tcp::socket socket(context, tcp::v4());
    net::tuneClientSocket(socket);
    QVERIFY(option(socket, SOL_SOCKET, SO_KEEPALIVE) == 1);
    QVERIFY(option(socket, IPPROTO_TCP, TCP_NODELAY) == 1);
    const int seconds = option(socket, IPPROTO_TCP, TCP_KEEPIDLE) +
                        option(socket, IPPROTO_TCP, TCP_KEEPINTVL) * option(socket, IPPROTO_TCP, TCP_KEEPCNT);
    QCOMPARE(seconds, 120);
  }
};

QTEST_GUILESS_MAIN(ClientSocketTest)
#include "client_socket_test.moc"
