// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/os/store_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace quarry::os {

namespace {

Error lockedError(int descriptor, const std::string& storePath) {
  std::array<char, 32> text{};
  const ssize_t count = ::pread(descriptor, text.data(), text.size() - 1, 0);
  std::string owner(text.data(), count > 0 ? static_cast<size_t>(count) : 0);
  while (!owner.empty() && owner.back() == '\n') owner.pop_back();
  return {ErrorCode::Locked, "the store " + storePath + " is in use by another engine (process " + (owner.empty() ? "unknown" : owner) +
                                 "); stop that one first"};
}

}  // namespace

Result<StoreLock> StoreLock::acquire(const std::string& storePath) {
  const std::string path = storePath + "/lock";
  Descriptor descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!descriptor.isOpen()) return fail(errnoError(errno, "open", path));
  if (::flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return fail(lockedError(descriptor.get(), storePath));
    return fail(errnoError(errno, "lock", path));
  }
  const std::string owner = std::to_string(::getpid()) + "\n";
  const bool written = ::ftruncate(descriptor.get(), 0) == 0 && ::pwrite(descriptor.get(), owner.data(), owner.size(), 0) > 0;
  // A full disk must not keep a store from being opened: the lock counts, the number is only for people.
  if (!written && errno != ENOSPC && errno != EDQUOT) return fail(errnoError(errno, "write", path));
  return StoreLock(std::move(descriptor));
}

}  // namespace quarry::os
