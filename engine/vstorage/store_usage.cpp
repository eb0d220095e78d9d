// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/store_usage.h"

#include <fmt/core.h>

#include <utility>

#include "engine/base/bytes.h"

namespace quarry {

StoreUsage::StoreUsage(os::FileSystem& fileSystem, std::string storePath, asio::thread_pool& workers, const Clock& clock)
    : m_fileSystem(fileSystem), m_path(std::move(storePath)), m_workers(workers), m_clock(clock) {}

Task<uint64_t> StoreUsage::bytes() {
  {
    const Lock lock(m_mutex);
    if (m_known && m_clock.steady() - m_countedAt < keepFor) co_return m_bytes;
  }
  const uint64_t counted = co_await onPool(m_workers, [this] { return countBlocking(); });
  const Lock lock(m_mutex);
  m_bytes = counted;
  m_known = true;
  m_countedAt = m_clock.steady();
  co_return counted;
}

uint64_t StoreUsage::countBlocking() {
  uint64_t bytes = 0;
  const auto count = [this, &bytes](const std::string& folder) {
    const auto files = m_fileSystem.list(folder);
    if (!files) return;
    bytes += blockBytes;  // the folder itself
    for (const os::FileInfo& file : *files) bytes += file.allocatedBytes;
  };
  count(m_path);
  for (const char* folder : {"journal", "containers", "landing"}) count(m_path + "/" + folder);
  for (unsigned low = 0; low < 256; ++low) count(fmt::format("{}/landing/{:02x}", m_path, low));
  return bytes;
}

}  // namespace quarry
