// SPDX-License-Identifier: GPL-3.0-or-later
// A few read-only connections to one database, lent to whoever reads. Safe from any thread; borrow() waits when all are lent.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/metadata/database.h"

namespace quarry::metadata {

class ReaderPool {
 public:
  static constexpr size_t connectionsMax = 4;

  class Loan {
   public:
    Loan(ReaderPool& pool, std::unique_ptr<Database> database) : m_pool(&pool), m_database(std::move(database)) {}
    Loan(Loan&&) noexcept = default;
    Loan& operator=(Loan&&) = delete;
    ~Loan() {
      if (m_database) m_pool->giveBack(std::move(m_database));
    }
    Database& operator*() { return *m_database; }

   private:
    ReaderPool* m_pool;
    std::unique_ptr<Database> m_database;
  };

  ReaderPool(std::string path, const DatabaseFormat& format) : m_path(std::move(path)), m_format(format) {}
  Result<Loan> borrow();

 private:
  void giveBack(std::unique_ptr<Database> database);

  const std::string m_path;
  const DatabaseFormat& m_format;
  Mutex m_mutex;
  Condition m_returned;
  std::vector<std::unique_ptr<Database>> m_idle GUARDED_BY(m_mutex);
  size_t m_lent GUARDED_BY(m_mutex) = 0;
};

}  // namespace quarry::metadata
