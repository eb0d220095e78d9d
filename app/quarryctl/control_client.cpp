// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/quarryctl/control_client.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/protocol/version.h"

namespace quarry::ctl {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds greetingTimeout{10'000};

Error connectError(const std::string& path, int error) {
  if (error == ENOENT || error == ECONNREFUSED)
    return {ErrorCode::Disconnected,
            "no engine is listening on " + path + "; start one with: quarryd --store DIR (or name its socket with --control)"};
  if (error == EACCES || error == EPERM)
    return {ErrorCode::AccessDenied, "may not use " + path + ": run quarryctl as the user who runs the engine"};
  return {ErrorCode::Disconnected, "cannot reach the engine on " + path + ": " + std::strerror(error)};
}

// The default socket lies where others may write: whoever holds it must be this user or root. Root may ask anybody's engine.
Result<void> checkHolder(int fd, const std::string& path) {
  ucred holder{};
  socklen_t size = sizeof holder;
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &holder, &size) != 0)
    return fail(ErrorCode::IoError, std::string("cannot see who listens: ") + std::strerror(errno));
  if (holder.uid == ::geteuid() || holder.uid == 0 || ::geteuid() == 0) return {};
  return fail(ErrorCode::AccessDenied, path + " is held by user " + std::to_string(holder.uid) + ", not by an engine of yours: run quarryctl as that user");
}

Error lost() { return {ErrorCode::Disconnected, "the engine closed the connection; see its log, and whether it runs: quarryctl status"}; }

}  // namespace

ControlClient::~ControlClient() {
  if (m_fd >= 0) ::close(m_fd);
}

Result<int> ControlClient::connectRaw(const std::string& socketPath) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socketPath.size() >= sizeof address.sun_path)
    return fail(ErrorCode::NameTooLong, "the path of the control socket is too long: " + socketPath);
  std::memcpy(address.sun_path, socketPath.c_str(), socketPath.size() + 1);
  m_fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (m_fd < 0) return fail(ErrorCode::IoError, std::string("cannot open a socket: ") + std::strerror(errno));
  if (::connect(m_fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return fail(connectError(socketPath, errno));
  if (const auto held = checkHolder(m_fd, socketPath); !held) return fail(held.error());
  return m_fd;
}

Result<void> ControlClient::connect(const std::string& socketPath) {
  if (const auto connected = connectRaw(socketPath); !connected) return fail(connected.error());
  const auto message = readMessage(greetingTimeout, Interruption::Report);
  if (!message) return fail(message.error());
  const auto hello = protocol::fromJson<protocol::Hello>(message->params);
  if (message->method != "hello" || !hello) return fail(ErrorCode::Protocol, socketPath + " is not the control socket of an engine");
  if (hello->protocolMajor == protocol::versionMajor) return {};
  return fail(ErrorCode::Protocol, "the engine (" + hello->engineVersion + ") speaks protocol " + std::to_string(hello->protocolMajor) + ", this quarryctl (" +
                                       protocol::productVersion + ") speaks " + std::to_string(protocol::versionMajor) + ": install the same version of both");
}

Result<void> ControlClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::send(m_fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return fail(lost());
    bytes.remove_prefix(static_cast<size_t>(size));
  }
  return {};
}

Result<std::string> ControlClient::readLine(milliseconds timeout, Interruption interruption) {
  const auto deadline = steady_clock::now() + timeout;
  for (;;) {
    if (const size_t end = m_buffer.find('\n', m_scanned); end != std::string::npos) {
      std::string line = m_buffer.substr(0, end);
      m_buffer.erase(0, end + 1);
      m_scanned = 0;
      return line;
    }
    m_scanned = m_buffer.size();
    if (m_buffer.size() > protocol::lineBytesMax) return fail(ErrorCode::Protocol, "the engine sent a line longer than the protocol allows");
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    pollfd wait{m_fd, POLLIN, 0};
    const int ready = left.count() <= 0 ? 0 : ::poll(&wait, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR && interruption == Interruption::Report) return fail(ErrorCode::Cancelled, "interrupted");
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return fail(ErrorCode::Timeout, "the engine did not answer in time; see its log");
    char bytes[64 * 1024];
    const ssize_t size = ::recv(m_fd, bytes, sizeof bytes, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return fail(lost());
    m_buffer.append(bytes, static_cast<size_t>(size));
  }
}

Result<protocol::RpcMessage> ControlClient::readMessage(milliseconds timeout, Interruption interruption) {
  const Result<std::string> line = readLine(timeout, interruption);
  if (!line) return fail(line.error());
  Result<protocol::RpcMessage> message = protocol::decodeLine(*line);
  if (!message) return fail(ErrorCode::Protocol, "the engine sent something that is not the control protocol: " + message.error().message);
  return message;
}

Result<std::string> ControlClient::call(std::string_view method, std::string_view params) {
  const int64_t id = ++m_lastId;
  if (const auto sent = send(protocol::encodeRequest(id, method, params)); !sent) return fail(sent.error());
  for (;;) {
    Result<protocol::RpcMessage> message = readMessage(m_answerMax, Interruption::Ignore);
    if (!message) return fail(message.error());
    if (!message->method.empty() || message->id != id) continue;
    if (message->error) return fail(*message->error);
    return std::move(message->params);
  }
}

Result<protocol::RpcMessage> ControlClient::nextNotification(milliseconds timeout) {
  for (;;) {
    Result<protocol::RpcMessage> message = readMessage(timeout, Interruption::Report);
    if (!message || (!message->method.empty() && !message->id)) return message;
  }
}

}  // namespace quarry::ctl
