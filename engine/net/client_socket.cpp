// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/net/client_socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace quarry::net {

namespace {
void set(asio::ip::tcp::socket& socket, int option, int value) { ::setsockopt(socket.native_handle(), IPPROTO_TCP, option, &value, sizeof value); }
}  // namespace

void tuneClientSocket(asio::ip::tcp::socket& socket) {
  asio::error_code ignored;
  socket.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket.set_option(asio::ip::tcp::socket::keep_alive(true), ignored);
  set(socket, TCP_KEEPIDLE, keepAliveIdleSeconds);
  set(socket, TCP_KEEPINTVL, keepAliveIntervalSeconds);
  set(socket, TCP_KEEPCNT, keepAliveProbes);
}

}  // namespace quarry::net
