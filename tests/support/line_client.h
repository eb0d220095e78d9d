// SPDX-License-Identifier: GPL-3.0-or-later
// A bare peer of the control socket for tests: blocking, raw lines, as bad as the test wants it.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>

namespace quarry {

class LineClient {
 public:
  explicit LineClient(const std::string& path) : m_fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    m_connected = ::connect(m_fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~LineClient() { ::close(m_fd); }
  LineClient(const LineClient&) = delete;
  LineClient& operator=(const LineClient&) = delete;

  bool isConnected() const { return m_connected; }
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t size = ::send(m_fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(size));
    }
    return true;
  }
  void endSending() { ::shutdown(m_fd, SHUT_WR); }

  // The next line without '\n'; empty when the peer closed or nothing came for ten seconds.
  std::string readLine() {
    for (;;) {
      if (const size_t end = m_buffer.find('\n'); end != std::string::npos) {
        std::string line = m_buffer.substr(0, end);
        m_buffer.erase(0, end + 1);
        return line;
      }
      pollfd wait{m_fd, POLLIN, 0};
      char bytes[65536];
      const ssize_t size = ::poll(&wait, 1, 10'000) == 1 ? ::recv(m_fd, bytes, sizeof bytes, 0) : 0;
      if (size <= 0) return {};
      m_buffer.append(bytes, static_cast<size_t>(size));
    }
  }

 private:
  int m_fd;
  bool m_connected = false;
  std::string m_buffer;
};

}  // namespace quarry
