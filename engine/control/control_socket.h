// SPDX-License-Identifier: GPL-3.0-or-later
// The listening Unix socket of one engine: mode 0600, in a folder that only its owner can change, never taken from an engine that
// still listens. It appears under its name only once it listens, so nobody meets it half made. A lock file beside it (PATH.lock) keeps
// two engines that start at once apart. One thread; the socket's name goes with this object.
#pragma once

#include <asio/io_context.hpp>
#include <asio/local/stream_protocol.hpp>
#include <string>

#include "engine/base/result.h"

namespace quarry {

class ControlSocket {
 public:
  explicit ControlSocket(asio::io_context& context) : m_acceptor(context) {}
  ~ControlSocket();
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

  // Makes the folder (0700) when it is missing and removes a stale socket. Locked: another engine listens there. On failure nothing of
  // another engine was touched.
  Result<void> listen(const std::string& path);
  asio::local::stream_protocol::acceptor& acceptor() { return m_acceptor; }
  void close();

 private:
  Result<void> lock(const std::string& path);
  Result<void> bind(const std::string& path);

  asio::local::stream_protocol::acceptor m_acceptor;
  std::string m_path;  // once it is ours
  int m_lock = -1;
};

}  // namespace quarry
