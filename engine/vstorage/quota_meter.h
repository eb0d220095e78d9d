// SPDX-License-Identifier: GPL-3.0-or-later
// How much of its quota a vstorage has used: the bytes its files hold as clients wrote them, without holes and zero blocks, whatever
// deduplication made of them. Measured by the SavingsAccountant; between measurements, blocks that land are added, so that an overwrite of
// optimized data may count twice until the limit comes near and everything is measured again.
// Safe from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/base/async.h"
#include "engine/base/mutex.h"
#include "engine/base/result.h"
#include "engine/vstorage/savings_accountant.h"

namespace quarry {

class QuotaMeter {
 public:
  QuotaMeter(SavingsAccountant& savings, metadata::VstorageId vstorage) : m_savings(savings), m_vstorage(vstorage) {}

  // By what is known at once: `bytes` more fit. Before the first measurement, which this starts, that is what landed since the start, so
  // that no write waits for the figures of a whole store. quotaBytes 0: no quota.
  bool fits(uint64_t quotaBytes, uint64_t bytes);
  // QuotaExceeded when `bytes` more would not fit; near the limit everything is measured first.
  Task<Result<void>> admit(uint64_t quotaBytes, uint64_t bytes);
  void noteLanded(uint64_t bytes) { m_known->landedSince.fetch_add(bytes, std::memory_order_relaxed); }
  uint64_t usedBytes() const;

 private:
  // Shared with a measurement underway, which may outlive the vstorage.
  struct Known {
    std::atomic<uint64_t> landedSince = 0;     // since the snapshot
    std::atomic<bool> isMeasuring = false;     // for the first time
    Mutex mutex;
    std::shared_ptr<const SavingsSnapshot> snapshot GUARDED_BY(mutex);
    bool isRough GUARDED_BY(mutex) = true;     // some blocks may be in the snapshot and in landedSince

    void rebase(std::shared_ptr<const SavingsSnapshot> measured, uint64_t landedBefore);
    void beginWith(std::shared_ptr<const SavingsSnapshot> measured);
  };
  bool isMeasured() const;
  bool isRough() const;

  SavingsAccountant& m_savings;
  const metadata::VstorageId m_vstorage;
  const std::shared_ptr<Known> m_known = std::make_shared<Known>();
};

}  // namespace quarry
