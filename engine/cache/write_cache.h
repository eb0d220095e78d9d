// SPDX-License-Identifier: GPL-3.0-or-later
// The write cache: the dirty blocks of all files under one limit, and which files have some. Whoever wants to add asks for room first;
// near the limit that takes a little longer with every step, so that clients slow down instead of stopping.
//
// Threads: any. Ownership: outlives its files and the destager. Failure: none; a full cache makes writers wait.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/mutex.h"
#include "engine/base/work_count.h"
#include "engine/cache/dirty_blocks.h"

namespace quarry::cache {

// A file as the destager needs it.
class DirtyFile {
 public:
  virtual ~DirtyFile() = default;
  virtual DirtyBlocks& dirty() = 0;
  // Writes what of the run is dirty now to the landing file, not durably yet.
  virtual Task<Result<DirtyBlocks::Run>> land(BlockRange run) = 0;
  // What land() gave is durable on return, the size that goes with it too, and no replay of the journal brings older bytes back. Then it is clean.
  virtual Task<Result<void>> settle(std::vector<DirtyBlocks::Run> landed) = 0;
};

class WriteCache {
 public:
  explicit WriteCache(const Clock& clock) : m_clock(clock), m_engineAccount(clock) {}

  static constexpr double delayFrom = 0.6;  // of the limit; from there on writers are delayed

  CacheAccount& engineAccount() { return m_engineAccount; }
  const CacheAccount& engineAccount() const { return m_engineAccount; }
  std::shared_ptr<CacheAccount> account(uint32_t number);  // the same for the same number
  JournalNeeds& needs() { return m_needs; }
  DirtyBlocks::Totals totals() { return {m_needs, m_engineAccount}; }

  // After its replay. Null before: then nothing can be journaled.
  void attach(journal::Journal& journal);
  journal::Journal* journal() const { return m_journal.load(std::memory_order_acquire); }

  void setDirtyBytesMax(uint64_t bytes) { m_dirtyBytesMax.store(bytes); }
  uint64_t dirtyBytesMax() const { return m_dirtyBytesMax.load(); }
  uint64_t dirtyBytes() const { return m_engineAccount.dirtyBlocks.load(std::memory_order_relaxed) * blockBytes; }
  double fill() const { return static_cast<double>(dirtyBytes()) / static_cast<double>(std::max<uint64_t>(1, dirtyBytesMax())); }
  // Called when a writer finds the cache filling: wakes the destager.
  void setOnPressure(std::function<void()> onPressure);

  bool isFilling() const { return fill() >= delayFrom; }
  // At once while it is not filling, else a little later. The error that keeps the destager from making room, when the cache is full and stays so;
  // Busy after a second without room.
  Task<Result<void>> waitForRoom();
  void setBlocked(std::optional<Error> problem);  // by the destager
  // Entries that void others are being appended in the background: the journal must not be closed before.
  WorkCount& voiding() { return m_voiding; }

  // The file has dirty blocks now.
  void noteDirty(DirtyFile& file, std::weak_ptr<DirtyFile> weak);
  // Files that may have dirty blocks. One that turns out to have none is forgotten.
  std::vector<std::shared_ptr<DirtyFile>> dirtyFiles();
  struct Oldest {
    std::optional<SteadyTime> dirty, unprotected;
    std::map<const CacheAccount*, SteadyTime> unprotectedOf;  // of those that have some
  };
  Oldest oldest();

 private:
  void tellPressure();
  std::optional<Error> blocked() const;

  const Clock& m_clock;
  CacheAccount m_engineAccount;
  JournalNeeds m_needs;
  std::atomic<journal::Journal*> m_journal = nullptr;
  WorkCount m_voiding;
  std::atomic<uint64_t> m_dirtyBytesMax = 128 << 20;
  mutable Mutex m_mutex;
  std::function<void()> m_onPressure GUARDED_BY(m_mutex);
  std::optional<Error> m_blocked GUARDED_BY(m_mutex);
  std::set<std::weak_ptr<DirtyFile>, std::owner_less<>> m_files GUARDED_BY(m_mutex);
  std::map<uint32_t, std::shared_ptr<CacheAccount>> m_accounts GUARDED_BY(m_mutex);
};

}  // namespace quarry::cache
