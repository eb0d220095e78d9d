// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/control/control_server.h"

#include <asio/post.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <utility>

#include "engine/base/log.h"
#include "engine/base/spawn.h"

namespace quarry {
namespace {
constexpr std::chrono::milliseconds acceptPause{100};  // after a failure such as no free file descriptors
}

ControlServer::ControlServer(ControlApi& api, ControlLimits limits) : m_api(api), m_limits(limits), m_socket(m_context) {}

ControlServer::~ControlServer() { stop(); }

Result<void> ControlServer::start(const std::string& socketPath) {
  if (auto listening = m_socket.listen(socketPath); !listening) return listening;
  m_work.emplace(m_context.get_executor());
  spawn(m_context, acceptLoop(*this));
  m_thread = std::thread([this] { m_context.run(); });
  return {};
}

void ControlServer::stop() {
  if (!m_thread.joinable()) return;
  asio::post(m_context, [this] {
    m_socket.close();
    for (const auto& connection : std::set(m_connections)) connection->close();
    m_work.reset();
  });
  m_thread.join();
}

Task<void> ControlServer::acceptLoop(ControlServer& server) {
  while (server.m_socket.acceptor().is_open()) {
    asio::error_code error;
    auto socket = co_await server.m_socket.acceptor().async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (!error) {
      server.admit(std::move(socket));
    } else if (server.m_socket.acceptor().is_open()) {
      asio::steady_timer pause(server.m_context, acceptPause);
      co_await expiry(pause);
    }
  }
}

void ControlServer::admit(asio::local::stream_protocol::socket socket) {
  if (m_connections.size() >= m_limits.connectionsMax) {
    log("control").warn("more than {} control connections; one is turned away", m_limits.connectionsMax);
    return;
  }
  const auto connection = std::make_shared<ControlConnection>(std::move(socket), m_api, m_limits);
  m_connections.insert(connection);
  connection->start([this, weak = std::weak_ptr(connection)] { m_connections.erase(weak.lock()); });
}

void ControlServer::publish(std::string_view method, std::string_view params) {
  auto line = std::make_shared<const std::string>(protocol::encodeNotification(method, params));
  asio::post(m_context, [this, line = std::move(line)] {
    for (const auto& connection : std::set(m_connections)) connection->send(line);
  });
}

void ControlServer::publishSample(protocol::StatSample sample) {
  asio::post(m_context, [this, sample = std::move(sample)] {
    for (const auto& connection : std::set(m_connections)) connection->sendSample(sample);
  });
}

}  // namespace quarry
