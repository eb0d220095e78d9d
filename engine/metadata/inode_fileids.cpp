// SPDX-License-Identifier: GPL-3.0-or-later
// Which fileids are given out and which must be left alone.
#include <algorithm>

#include "engine/metadata/database.h"
#include "engine/metadata/stored_inode_table.h"

namespace quarry::metadata {

FileId StoredInodeTable::nextFileId() const {
  const Lock lock(m_mutex);
  return m_index.nextFileid;
}

FileId StoredInodeTable::keptBelow() const {
  const Lock lock(m_mutex);
  return m_index.keptBelow;
}

Task<Result<void>> StoredInodeTable::keepBelow(FileId next) {
  TransactionQueue::Work save = [this, next](Database& database) -> Result<void> {
    const auto sql = "INSERT OR REPLACE INTO counters VALUES ('next_fileid', ?), ('kept_below', ?)";
    if (auto saved = database.run(sql, next, next); !saved) return saved;
    const Lock lock(m_mutex);
    m_index.nextFileid = m_index.keptBelow = next;
    return {};
  };
  co_return co_await m_queue.submit(std::move(save));
}

Task<Result<void>> StoredInodeTable::settle() {
  TransactionQueue::Work nothing = [](Database&) { return Result<void>(); };
  co_return co_await m_queue.submit(std::move(nothing));
}

}  // namespace quarry::metadata
