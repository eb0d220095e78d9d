// SPDX-License-Identifier: GPL-3.0-or-later
// Which clients use which exports, for MOUNT's DUMP and the console. NFS tells a server little of that: a mount is told, an unmount often not,
// and after a restart of the engine clients go on with the handles that they have. So what counts is when a client was last seen: its mounts
// go unshown after shownFor without use, and use of a vstorage that it was not seen to mount counts as a mount of its root.
//
// Threads: safe from any. Ownership: the clock outlives it. In RAM only. Full (entriesMax): who was not seen for the longest time is forgotten.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/mutex.h"

namespace quarry {

class MountTable {
 public:
  static constexpr size_t entriesMax = 4096;
  static constexpr std::chrono::hours shownFor{24};

  explicit MountTable(const Clock& clock) : m_clock(clock) {}

  // Paths are "/VSTORAGE" or "/VSTORAGE/folder/…".
  void noteMount(std::string_view client, std::string_view path) EXCLUDES(m_mutex);
  void noteUse(std::string_view client, std::string_view vstorage) EXCLUDES(m_mutex);
  void noteUnmount(std::string_view client, std::string_view path) EXCLUDES(m_mutex);  // empty: all of the client
  void forget(std::string_view vstorage) EXCLUDES(m_mutex);

  std::vector<std::pair<std::string, std::string>> shown() const EXCLUDES(m_mutex);    // client, path
  uint64_t clientCount(std::string_view vstorage) const EXCLUDES(m_mutex);

 private:
  void see(std::string_view client, std::string_view path) REQUIRES(m_mutex);
  bool isShown(std::chrono::steady_clock::time_point lastSeen) const { return m_clock.steady() - lastSeen < shownFor; }

  const Clock& m_clock;
  mutable Mutex m_mutex;
  std::map<std::pair<std::string, std::string>, std::chrono::steady_clock::time_point> m_lastSeen GUARDED_BY(m_mutex);  // by client and path
};

}  // namespace quarry
