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

  // QuotaExceeded when `bytes` more would not fit. quotaBytes 0: no quota.
  Task<Result<void>> admit(uint64_t quotaBytes, uint64_t bytes);
  void noteLanded(uint64_t bytes) { m_landedSince.fetch_add(bytes, std::memory_order_relaxed); }
  uint64_t usedBytes() const;

 private:
  void rebase(std::shared_ptr<const SavingsSnapshot> snapshot, uint64_t landedBefore);

  SavingsAccountant& m_savings;
  const metadata::VstorageId m_vstorage;
  std::atomic<uint64_t> m_landedSince = 0;     // since the snapshot
  mutable Mutex m_mutex;
  std::shared_ptr<const SavingsSnapshot> m_snapshot GUARDED_BY(m_mutex);
};

}  // namespace quarry
