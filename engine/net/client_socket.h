// SPDX-License-Identifier: GPL-3.0-or-later
// What every socket of a client gets: no delay for small replies, and a check after a minute of silence whether the client is still there, so
// that a host which lost power is forgotten within two minutes. Threads: that of the socket. Failure: options that are not there are left out.
#pragma once

#include <asio/ip/tcp.hpp>

namespace quarry::net {

inline constexpr int keepAliveIdleSeconds = 60, keepAliveIntervalSeconds = 15, keepAliveProbes = 4;

void tuneClientSocket(asio::ip::tcp::socket& socket);

}  // namespace quarry::net
