// SPDX-License-Identifier: GPL-3.0-or-later
// Which groups of the journal are still needed, counted by whoever needs them; the journal is told as soon as its oldest ones are not.
//
// Threads: any. Ownership: the journal is attached once it was replayed and must outlive this. A number that pin() or need() counted must be
// given to drop() exactly once.
#pragma once

#include <cstdint>
#include <deque>

#include "engine/base/mutex.h"
#include "engine/journal/journal.h"

namespace quarry::cache {

class JournalNeeds {
 public:
  // Numbers counted before, during a replay, stay counted.
  void attach(journal::Journal& journal);

  // A number not greater than that of any group that is appended from now on: counted by pin(), only told by next(). 0 without a journal.
  uint64_t pin();
  uint64_t next() const;
  // REQUIRES: something not greater is counted now, or nothing was dropped yet.
  void need(uint64_t sequence);
  void drop(uint64_t sequence);

 private:
  void count(uint64_t sequence) REQUIRES(m_mutex);

  mutable Mutex m_mutex;
  journal::Journal* m_journal GUARDED_BY(m_mutex) = nullptr;
  uint64_t m_first GUARDED_BY(m_mutex) = 0;              // the number that m_counts begins with
  std::deque<uint32_t> m_counts GUARDED_BY(m_mutex);     // the last one is never zero
};

}  // namespace quarry::cache
