// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/os/range_lock.h"

#include <algorithm>

namespace quarry::os {

RangeLock::Guard::~Guard() {
  if (m_lock) m_lock->release(m_ticket);
}

Task<RangeLock::Guard> RangeLock::lock(uint64_t from, uint64_t to) {
  {
    const Lock lock(m_mutex);
    const auto entry = m_entries.insert(m_entries.end(), {m_nextTicket, from, to, true, {}});
    if (!blockedBefore(entry)) {
      co_return Guard(this, m_nextTicket++);
    }
    m_entries.erase(entry);
  }
  // What blocked may be gone by now: the entry is judged again when it is queued with its way to wake.
  const uint64_t ticket = co_await awaitCallback<uint64_t>([this, from, to](std::function<void(uint64_t)> done) {
    uint64_t heldTicket = 0;
    {
      const Lock lock(m_mutex);
      const auto entry = m_entries.insert(m_entries.end(), {m_nextTicket++, from, to, false, done});
      entry->held = !blockedBefore(entry);
      if (entry->held) heldTicket = entry->ticket;
    }
    if (heldTicket != 0) done(heldTicket);
  });
  co_return Guard(this, ticket);
}

bool RangeLock::isBusy(uint64_t from, uint64_t to) const {
  const Lock lock(m_mutex);
  return std::any_of(m_entries.begin(), m_entries.end(), [from, to](const Entry& entry) { return entry.from < to && from < entry.to; });
}

bool RangeLock::blockedBefore(std::list<Entry>::const_iterator entry) const {
  return std::any_of(m_entries.begin(), entry, [entry](const Entry& earlier) { return earlier.from < entry->to && entry->from < earlier.to; });
}

void RangeLock::release(uint64_t ticket) {
  std::vector<std::pair<uint64_t, std::function<void(uint64_t)>>> woken;
  {
    const Lock lock(m_mutex);
    std::erase_if(m_entries, [ticket](const Entry& entry) { return entry.ticket == ticket; });
    for (auto entry = m_entries.begin(); entry != m_entries.end(); ++entry) {
      if (entry->held || blockedBefore(entry)) continue;
      entry->held = true;
      woken.emplace_back(entry->ticket, std::move(entry->wake));
    }
  }
  for (auto& [wokenTicket, wake] : woken) wake(wokenTicket);
}

}  // namespace quarry::os
