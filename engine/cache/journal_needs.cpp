// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/journal_needs.h"

#include "engine/base/check.h"

namespace quarry::cache {

void JournalNeeds::attach(journal::Journal& journal) {
  const Lock lock(m_mutex);
  m_journal = &journal;
  journal.release(m_counts.empty() ? journal.nextSequence() : m_first);
}

uint64_t JournalNeeds::pin() {
  const Lock lock(m_mutex);
  QUARRY_CHECK(m_journal);
  const uint64_t sequence = m_journal->nextSequence();
  count(sequence);
  return sequence;
}

uint64_t JournalNeeds::next() const {
  const Lock lock(m_mutex);
  return m_journal ? m_journal->nextSequence() : 0;
}

void JournalNeeds::need(uint64_t sequence) {
  const Lock lock(m_mutex);
  count(sequence);
}

void JournalNeeds::count(uint64_t sequence) {
  if (m_counts.empty()) m_first = sequence;
  for (; m_first > sequence; --m_first) m_counts.push_front(0);
  if (m_counts.size() <= sequence - m_first) m_counts.resize(sequence - m_first + 1);
  ++m_counts[sequence - m_first];
}

void JournalNeeds::drop(uint64_t sequence) {
  const Lock lock(m_mutex);
  QUARRY_CHECK(sequence >= m_first && sequence - m_first < m_counts.size() && m_counts[sequence - m_first] > 0);
  --m_counts[sequence - m_first];
  while (!m_counts.empty() && m_counts.back() == 0) m_counts.pop_back();
  const uint64_t before = m_first;
  while (!m_counts.empty() && m_counts.front() == 0) {
    m_counts.pop_front();
    ++m_first;
  }
  if (!m_journal || (m_first == before && !m_counts.empty())) return;
  m_journal->release(m_counts.empty() ? m_journal->nextSequence() : m_first);
}

}  // namespace quarry::cache
