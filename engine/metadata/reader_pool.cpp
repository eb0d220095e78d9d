// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/reader_pool.h"

namespace quarry::metadata {

Result<ReaderPool::Loan> ReaderPool::borrow() {
  {
    const Lock lock(m_mutex);
    while (m_lent >= connectionsMax) m_returned.wait(m_mutex);
    ++m_lent;
    if (!m_idle.empty()) {
      auto database = std::move(m_idle.back());
      m_idle.pop_back();
      return Loan(*this, std::move(database));
    }
  }
  auto database = Database::open(m_path, m_format, DatabaseMode::ReadOnly);
  if (database) return Loan(*this, std::move(*database));
  const Lock lock(m_mutex);
  --m_lent;
  m_returned.notifyOne();
  return fail(database.error());
}

void ReaderPool::giveBack(std::unique_ptr<Database> database) {
  const Lock lock(m_mutex);
  --m_lent;
  m_idle.push_back(std::move(database));
  m_returned.notifyOne();
}

}  // namespace quarry::metadata
