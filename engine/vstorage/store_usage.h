// SPDX-License-Identifier: GPL-3.0-or-later
// What the store's files take on the disk, databases included, as du counts. Counted on the worker pool and kept for two seconds.
// Threads: any. Failure: folders that cannot be listed count as empty.
#pragma once

#include <asio/thread_pool.hpp>
#include <chrono>
#include <cstdint>
#include <string>

#include "engine/base/async.h"
#include "engine/base/clock.h"
#include "engine/base/mutex.h"
#include "engine/os/file.h"

namespace quarry {

class StoreUsage {
 public:
  static constexpr std::chrono::seconds keepFor{2};

  StoreUsage(os::FileSystem& fileSystem, std::string storePath, asio::thread_pool& workers, const Clock& clock);
  Task<uint64_t> bytes();

 private:
  uint64_t countBlocking();

  os::FileSystem& m_fileSystem;
  const std::string m_path;
  asio::thread_pool& m_workers;
  const Clock& m_clock;
  Mutex m_mutex;
  uint64_t m_bytes GUARDED_BY(m_mutex) = 0;
  bool m_known GUARDED_BY(m_mutex) = false;
  std::chrono::steady_clock::time_point m_countedAt GUARDED_BY(m_mutex){};
};

}  // namespace quarry
