// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/net/warning_limit.h"

namespace quarry::net {

bool WarningLimit::allows(std::string_view key, TimePoint now) {
  const Lock lock(m_mutex);
  const auto found = m_written.find(key);
  if (found != m_written.end() && now - found->second < interval) return false;
  if (found == m_written.end() && m_written.size() >= keysMax) std::erase_if(m_written, [now](const auto& entry) { return now - entry.second >= interval; });
  if (found == m_written.end() && m_written.size() >= keysMax) return false;
  m_written.insert_or_assign(std::string(key), now);
  return true;
}

}  // namespace quarry::net
