// SPDX-License-Identifier: GPL-3.0-or-later
// One engine per store: an flock on STORE/lock, which the kernel releases however the process ends. The file holds the owner's
// process id for people; it stays behind, and only the lock on it counts. Failure: Locked names the process that has the store.
#pragma once

#include <string>

#include "engine/base/result.h"
#include "engine/os/posix_error.h"

namespace quarry::os {

// Held until destroyed. Move only.
class StoreLock {
 public:
  static Result<StoreLock> acquire(const std::string& storePath);

 private:
  explicit StoreLock(Descriptor descriptor) : m_descriptor(std::move(descriptor)) {}
  Descriptor m_descriptor;
};

}  // namespace quarry::os
