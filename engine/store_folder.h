// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a store: whether it holds one, the lock on it, and the making of a new one.
//
// A new store is made under the lock, beside a file "creating" that comes first and goes last; quarry.json is the last thing made, and makes
// the folder a store. Whatever a crash left beside "creating" without quarry.json holds nobody's data and is made anew.
// Threads: one. Ownership: the file system outlives it. Failure of open(): an Error that says what to do; a folder that holds no store, and
// cannot hold one, stays as it was.
#pragma once

#include <functional>
#include <string>

#include "engine/base/clock.h"
#include "engine/base/result.h"
#include "engine/os/file.h"
#include "engine/os/store_lock.h"
#include "engine/os/store_probe.h"
#include "engine/store_config.h"

namespace quarry {

class StoreFolder {
 public:
  using Probe = std::function<os::StoreProbe(const std::string&)>;

  // `probe` is asked about a folder that holds no store yet.
  static Result<StoreFolder> open(os::FileSystem& fileSystem, const std::string& path, const Probe& probe = os::probeStore);

  bool isNew() const { return m_isNew; }
  const StoreConfig& config() const { return m_config; }  // REQUIRES: not new, or creation finished
  // Everything else of the new store is made and durable.
  Result<void> finishCreation(const Clock& clock);

 private:
  StoreFolder(os::FileSystem& fileSystem, std::string path, os::StoreLock lock)
      : m_fileSystem(&fileSystem), m_path(std::move(path)), m_lock(std::move(lock)) {}
  Result<void> readConfig();
  Result<void> beginCreation();
  Result<void> removeLeftovers();
  Result<void> removeIfThere(const std::string& name);

  os::FileSystem* m_fileSystem;
  std::string m_path;
  os::StoreLock m_lock;
  StoreConfig m_config;
  bool m_isNew = false;
};

}  // namespace quarry
