// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/net/listener.h"

#include <asio/post.hpp>
#include <asio/ip/v6_only.hpp>
#include <asio/redirect_error.hpp>
#include <cerrno>
#include <thread>
#include <utility>

#include "engine/base/log.h"
#include "engine/base/spawn.h"
#include "engine/net/client_socket.h"

namespace quarry::net {

using asio::ip::tcp;

namespace {
constexpr int backlog = 1024;  // all hosts may come back in the same second
constexpr std::chrono::seconds sweepInterval{2};
constexpr std::chrono::milliseconds acceptRetryDelay{100};
constexpr std::chrono::milliseconds pollInterval{5};

std::string textualAddress(const asio::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped()) return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
  return address.to_string();
}

Error listenError(const asio::error_code& error, const ListenOptions& options) {
  const std::string where = "port " + std::to_string(options.port) + " of " + options.address;
  if (error == asio::error::address_in_use)
    return {ErrorCode::Busy, where + " is in use by another program, perhaps the system's own NFS server: stop that one or choose another port"};
  if (error == asio::error::access_denied)
    return {ErrorCode::NotPermitted, where + " may only be opened by root: start as root, grant CAP_NET_BIND_SERVICE, or choose a port from 1024 up"};
  if (error.value() == EADDRNOTAVAIL)
    return {ErrorCode::InvalidArgument, options.address + " is not an address of this machine: choose one of its own, or 0.0.0.0 for all"};
  return {ErrorCode::IoError, "cannot listen on " + where + ": " + error.message()};
}

asio::error_code open(tcp::acceptor& acceptor, const tcp::endpoint& endpoint) {
  asio::error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error && endpoint.address().is_v6()) acceptor.set_option(asio::ip::v6_only(false), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(backlog, error);
  return error;
}
}  // namespace

Listener::Listener(LoopPool& loops, RecordHandler& handler) : m_loops(loops), m_handler(handler) {
  for (size_t i = 0; i < loops.size(); ++i) m_states.push_back(std::make_shared<LoopState>(loops.loop(i)));
}

Listener::~Listener() {
  stop(std::chrono::milliseconds(0));
  while (m_counters->requestsRunning.load() > 0) std::this_thread::sleep_for(pollInterval);
}

Result<uint16_t> Listener::start(const ListenOptions& options) {
  asio::error_code error;
  const asio::ip::address address = asio::ip::make_address(options.address, error);
  if (error) return fail(ErrorCode::InvalidArgument, "'" + options.address + "' is not an IPv4 or IPv6 address");
  auto acceptor = std::make_unique<tcp::acceptor>(m_loops.loop(0));
  error = open(*acceptor, {address, options.port});
  if (error) return fail(listenError(error, options));
  const uint16_t port = acceptor->local_endpoint(error).port();
  if (error) return fail(listenError(error, options));
  m_options = options;
  m_counters->heldBytesMax = options.heldBytesMax;
  m_acceptor = std::move(acceptor);
  m_retryTimer = std::make_unique<asio::steady_timer>(m_loops.loop(0));
  auto ended = std::make_shared<std::promise<void>>();
  m_acceptEnded = ended->get_future();
  spawn(m_loops.loop(0), acceptLoop(*this, ended));
  for (auto& state : m_states) spawn(state->context, sweepLoop(state));
  return port;
}

bool Listener::stop(std::chrono::milliseconds patience) {
  if (!m_acceptor) return true;
  onEachLoop([this](LoopState& state) {
    asio::error_code ignored;
    if (&state == m_states.front().get()) {
      m_acceptor->close(ignored);
      m_retryTimer->cancel();
    }
    state.stopping = true;
    state.sweepTimer.cancel();
    const auto connections = state.connections;
    for (auto& connection : connections) connection->finish();
  });
  m_acceptEnded.wait();
  const auto giveUp = std::chrono::steady_clock::now() + patience;
  const auto idle = [this] { return m_counters->requestsRunning.load() == 0 && m_counters->repliesWaiting.load() == 0; };
  while (!idle() && std::chrono::steady_clock::now() < giveUp) std::this_thread::sleep_for(pollInterval);
  const bool wasIdle = idle();
  onEachLoop([](LoopState& state) {
    for (auto& connection : std::exchange(state.connections, {})) connection->close();
  });
  m_acceptor.reset();
  return wasIdle;
}

template <class Action>
void Listener::onEachLoop(Action action) {
  std::vector<std::future<void>> done;
  for (auto& state : m_states) {
    auto promise = std::make_shared<std::promise<void>>();
    done.push_back(promise->get_future());
    asio::post(state->context, [promise, state, action] {
      action(*state);
      promise->set_value();
    });
  }
  for (auto& each : done) each.wait();
}

Task<void> Listener::acceptLoop(Listener& self, std::shared_ptr<std::promise<void>> ended) {
  while (self.m_acceptor->is_open()) {
    const size_t index = self.m_nextLoop++ % self.m_states.size();
    std::shared_ptr<LoopState> state = self.m_states[index];
    asio::error_code error;
    tcp::socket socket = co_await self.m_acceptor->async_accept(state->context, asio::redirect_error(asio::use_awaitable, error));
    if (!self.m_acceptor->is_open()) break;
    if (error) {  // out of descriptors, or the client went away: others must still get in
      self.m_retryTimer->expires_after(acceptRetryDelay);
      co_await expiry(*self.m_retryTimer);
      continue;
    }
    self.admit(std::move(state), std::move(socket));
  }
  ended->set_value();
}

void Listener::admit(std::shared_ptr<LoopState> state, tcp::socket socket) {
  asio::error_code error;
  const tcp::endpoint remote = socket.remote_endpoint(error);
  if (error) return;  // gone already
  Peer peer{textualAddress(remote.address()), remote.port()};
  makeRoomFor(peer.address);
  tuneClientSocket(socket);
  m_counters->acceptedCount.fetch_add(1);
  auto connection = std::make_shared<Connection>(std::move(socket), std::move(peer), m_handler, m_counters);
  m_peers.add(connection);
  asio::post(state->context, [state, connection = std::move(connection)] {
    if (state->stopping) return;
    state->connections.insert(connection);
    connection->start();
  });
}

void Listener::makeRoomFor(const std::string& address) {
  std::shared_ptr<Connection> silent;
  if (m_peers.countOf(address) >= m_options.connectionsPerAddressMax)
    silent = m_peers.takeSilent(address);
  else if (m_peers.count() >= m_options.connectionsMax)
    silent = m_peers.takeSilentOfMost();
  if (!silent) return;
  m_counters->evictedCount.fetch_add(1);
  if (m_counters->warnings.allows(silent->peer().address))
    log("net").warn("too many connections: the longest silent one of {} makes room for one of {}", silent->peer().address, address);
  silent->closeSoon();
}

// Closes stalled connections and forgets ended ones, which only this set still holds.
Task<void> Listener::sweepLoop(std::shared_ptr<LoopState> state) {
  while (!state->stopping) {
    state->sweepTimer.expires_after(sweepInterval);
    co_await expiry(state->sweepTimer);
    const auto now = std::chrono::steady_clock::now();
    for (const auto& connection : state->connections) connection->closeIfStalled(now);
    std::erase_if(state->connections, [](const auto& connection) { return connection.use_count() == 1; });
  }
}

}  // namespace quarry::net
