// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/control/control_socket.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace quarry {
namespace {

using asio::local::stream_protocol;

constexpr size_t pathBytesMax = sizeof(sockaddr_un::sun_path) - 1;
constexpr const char* unfinished = ".new";

tl::unexpected<Error> failErrno(const std::string& what) { return fail(ErrorCode::IoError, what + ": " + std::strerror(errno)); }

// Makes the folder, and refuses one in which another user could put a socket of their own under our name.
Result<void> prepareFolder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return failErrno("cannot make the folder " + folder.string());
  struct stat found {};
  if (::stat(folder.c_str(), &found) != 0) return failErrno("cannot use the folder " + folder.string());
  if (!S_ISDIR(found.st_mode)) return fail(ErrorCode::NotDirectory, folder.string() + " is not a folder");
  const bool isOurs = found.st_uid == ::geteuid() || found.st_uid == 0;
  const bool othersMayChange = (found.st_mode & 0022) != 0 && (found.st_mode & S_ISVTX) == 0;
  if (!isOurs || othersMayChange)
    return fail(ErrorCode::AccessDenied,
                "the folder " + folder.string() + " of the control socket can be changed by other users; choose another with --control");
  return {};
}

bool isListenedTo(asio::io_context& context, const std::string& path) {
  stream_protocol::socket probe(context);
  asio::error_code error;
  probe.connect(stream_protocol::endpoint(path), error);
  return !error;
}

Result<void> removeStale(asio::io_context& context, const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) {
    if (errno == ENOENT) return {};
    return failErrno("cannot look at " + path);
  }
  if (!S_ISSOCK(found.st_mode)) return fail(ErrorCode::Exists, path + " exists and is not a socket");
  if (isListenedTo(context, path)) return fail(ErrorCode::Locked, "another engine is listening on " + path);
  if (::unlink(path.c_str()) != 0) return failErrno("cannot remove the stale socket " + path);
  return {};
}

}  // namespace

ControlSocket::~ControlSocket() { close(); }

void ControlSocket::close() {
  asio::error_code ignored;
  m_acceptor.close(ignored);
  if (!m_path.empty()) ::unlink(m_path.c_str());
  m_path.clear();
  if (m_lock >= 0) ::close(m_lock);
  m_lock = -1;
}

Result<void> ControlSocket::lock(const std::string& path) {
  const std::string lockPath = path + ".lock";
  m_lock = ::open(lockPath.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (m_lock < 0) return failErrno("cannot open " + lockPath);
  if (::flock(m_lock, LOCK_EX | LOCK_NB) == 0) return {};
  return fail(ErrorCode::Locked, "another engine is listening on " + path);
}

Result<void> ControlSocket::bind(const std::string& path) {
  const std::string newPath = path + unfinished;
  ::unlink(newPath.c_str());
  asio::error_code error;
  m_acceptor.open(stream_protocol(), error);
  if (!error) m_acceptor.bind(stream_protocol::endpoint(newPath), error);
  if (error) return fail(ErrorCode::IoError, "cannot make the control socket " + path + ": " + error.message());
  if (::chmod(newPath.c_str(), 0600) != 0) return failErrno("cannot protect the control socket " + path);
  m_acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) return fail(ErrorCode::IoError, "cannot listen on " + path + ": " + error.message());
  if (::rename(newPath.c_str(), path.c_str()) != 0) return failErrno("cannot name the control socket " + path);
  m_path = path;
  return {};
}

Result<void> ControlSocket::listen(const std::string& path) {
  const size_t longest = pathBytesMax - std::strlen(unfinished);
  if (path.size() > longest)
    return fail(ErrorCode::NameTooLong, "the path of the control socket is longer than " + std::to_string(longest) + " bytes: " + path);
  auto ready = prepareFolder(std::filesystem::absolute(path).parent_path());
  if (ready) ready = lock(path);
  if (ready) ready = removeStale(static_cast<asio::io_context&>(m_acceptor.get_executor().context()), path);
  if (ready) ready = bind(path);
  if (!ready) close();
  return ready;
}

}  // namespace quarry
