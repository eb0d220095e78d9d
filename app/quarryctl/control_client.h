// SPDX-License-Identifier: GPL-3.0-or-later
// A blocking connection to the engine's control socket, for a program that asks one thing at a time. One thread.
// Failure: Disconnected (not running, went away), AccessDenied, Timeout, Protocol (not an engine, other version), or what the engine
// answered; the message says what to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/protocol/codec.h"

namespace quarry::ctl {

class ControlClient {
 public:
  ControlClient() = default;
  ~ControlClient();
  ControlClient(const ControlClient&) = delete;
  ControlClient& operator=(const ControlClient&) = delete;

  // The socket alone, without waiting for the greeting: for the proxy.
  Result<int> connectRaw(const std::string& socketPath);
  // Connects and reads the greeting.
  Result<void> connect(const std::string& socketPath);
  // For what may take as long as a disk needs; otherwise two minutes.
  void waitLong() { m_answerMax = std::chrono::hours(24); }
  // The result as JSON text. Notifications that arrive before it are dropped.
  Result<std::string> call(std::string_view method, std::string_view params);
  // The next notification. Cancelled when a signal came first.
  Result<protocol::RpcMessage> nextNotification(std::chrono::milliseconds timeout);

 private:
  enum class Interruption { Ignore, Report };
  Result<std::string> readLine(std::chrono::milliseconds timeout, Interruption interruption);
  Result<protocol::RpcMessage> readMessage(std::chrono::milliseconds timeout, Interruption interruption);
  Result<void> send(std::string_view bytes);

  int m_fd = -1;
  int64_t m_lastId = 0;
  std::chrono::milliseconds m_answerMax{120'000};
  std::string m_buffer;
  size_t m_scanned = 0;  // no '\n' in m_buffer before it
};

}  // namespace quarry::ctl
