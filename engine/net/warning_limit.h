// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a peer that anybody may be from filling the log and holding up a loop with writing it: of one key (an address, a reason) one line a
// minute, of all keys together keysMax.
//
// Threads: safe from any.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "engine/base/mutex.h"

namespace quarry::net {

class WarningLimit {
 public:
  static constexpr std::chrono::seconds interval{60};
  static constexpr size_t keysMax = 64;
  using TimePoint = std::chrono::steady_clock::time_point;

  // True: write the line. False: one of this key was written within the interval, or too many of others were.
  bool allows(std::string_view key, TimePoint now = std::chrono::steady_clock::now()) EXCLUDES(m_mutex);

 private:
  Mutex m_mutex;
  std::map<std::string, TimePoint, std::less<>> m_written GUARDED_BY(m_mutex);
};

}  // namespace quarry::net
