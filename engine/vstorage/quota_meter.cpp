// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/quota_meter.h"

#include <chrono>
#include <utility>

namespace quarry {

namespace {
// A vstorage at its limit is measured no more often than this, however many writes it refuses.
constexpr std::chrono::milliseconds measureAgeMax{500};
}  // namespace

uint64_t QuotaMeter::usedBytes() const {
  const Lock lock(m_mutex);
  if (!m_snapshot) return m_landedSince.load();
  const protocol::Savings savings = m_snapshot->vstorage(m_vstorage);
  return savings.logicalBytes - savings.zeroBytes + m_landedSince.load();
}

Task<Result<void>> QuotaMeter::admit(uint64_t quotaBytes, uint64_t bytes) {
  if (quotaBytes == 0 || bytes == 0) co_return Result<void>();
  bool isMeasured = false;
  {
    const Lock lock(m_mutex);
    isMeasured = m_snapshot != nullptr;
  }
  if (isMeasured && usedBytes() + bytes <= quotaBytes) co_return Result<void>();
  const uint64_t landedBefore = m_landedSince.load();
  rebase(co_await m_savings.current(measureAgeMax), landedBefore);
  if (usedBytes() + bytes <= quotaBytes) co_return Result<void>();
  co_return fail(ErrorCode::QuotaExceeded, "the vstorage's quota is used up");
}

// What landed while the measurement ran may be in it or not: it keeps counting.
void QuotaMeter::rebase(std::shared_ptr<const SavingsSnapshot> snapshot, uint64_t landedBefore) {
  const Lock lock(m_mutex);
  if (m_snapshot == snapshot) return;  // an old figure: everything since still counts
  m_snapshot = std::move(snapshot);
  m_landedSince.fetch_sub(std::min(landedBefore, m_landedSince.load()));
}

}  // namespace quarry
