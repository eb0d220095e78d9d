// SPDX-License-Identifier: GPL-3.0-or-later
// Pipes stdin and stdout to the control socket, byte for byte, so that "ssh HOST quarryctl proxy" is a connection to HOST's engine.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "app/quarryctl/commands.h"

namespace quarry::ctl {
namespace {

constexpr size_t pieceBytes = 64 * 1024;

enum class Piece { Moved, Ended };

// Moves what is there. Writing may wait: the engine always reads, and a peer behind stdout that does not read is one to wait for.
Piece movePiece(int from, int to) {
  char bytes[pieceBytes];
  const ssize_t size = ::read(from, bytes, sizeof bytes);
  if (size < 0 && errno == EINTR) return Piece::Moved;
  if (size <= 0) return Piece::Ended;
  for (ssize_t done = 0; done < size;) {
    const ssize_t written = ::write(to, bytes + done, static_cast<size_t>(size - done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return Piece::Ended;
    done += written;
  }
  return Piece::Moved;
}

// Until the engine closes. The end of stdin is passed on, and answers that are still due are waited for.
void relay(int socket) {
  pollfd ends[2] = {{socket, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
  for (;;) {
    if (::poll(ends, 2, -1) < 0 && errno != EINTR) return;
    if (ends[0].revents != 0 && movePiece(socket, STDOUT_FILENO) == Piece::Ended) return;
    if (ends[1].revents != 0 && movePiece(STDIN_FILENO, socket) == Piece::Ended) {
      ::shutdown(socket, SHUT_WR);
      ends[1].fd = -1;
    }
  }
}

}  // namespace

void addProxyCommand(CLI::App& app, Session& session) {
  addVerb(app, "proxy", "Pipe stdin and stdout to the engine's control socket, for use through SSH")->callback([&session] {
    std::signal(SIGPIPE, SIG_IGN);
    const Result<int> socket = session.client().connectRaw(session.socketPath);
    if (!socket) return session.refuse(socket.error());
    relay(*socket);
  });
}

}  // namespace quarry::ctl
