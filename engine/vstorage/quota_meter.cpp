// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/quota_meter.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace quarry {

namespace {
// A vstorage at its limit is measured no more often than this, however many writes it refuses.
constexpr std::chrono::milliseconds measureAgeMax{500};
}  // namespace

uint64_t QuotaMeter::usedBytes() const {
  const Lock lock(m_known->mutex);
  const uint64_t landedSince = m_known->landedSince.load();
  if (!m_known->snapshot) return landedSince;
  const protocol::Savings savings = m_known->snapshot->vstorage(m_vstorage);
  return savings.logicalBytes - savings.zeroBytes + landedSince;
}

bool QuotaMeter::isMeasured() const {
  const Lock lock(m_known->mutex);
  return m_known->snapshot != nullptr;
}

bool QuotaMeter::isRough() const {
  const Lock lock(m_known->mutex);
  return m_known->isRough;
}

bool QuotaMeter::fits(uint64_t quotaBytes, uint64_t bytes) {
  if (quotaBytes == 0 || bytes == 0) return true;
  if (!isMeasured() && !m_known->isMeasuring.exchange(true))
    m_savings.measure([known = m_known](std::shared_ptr<const SavingsSnapshot> measured) { known->beginWith(std::move(measured)); });
  return usedBytes() + bytes <= quotaBytes;
}

Task<Result<void>> QuotaMeter::admit(uint64_t quotaBytes, uint64_t bytes) {
  if (fits(quotaBytes, bytes)) co_return Result<void>();
  const uint64_t landedBefore = m_known->landedSince.load();
  auto measured = co_await m_savings.current(isRough() ? std::chrono::milliseconds(0) : measureAgeMax);
  m_known->rebase(std::move(measured), landedBefore);
  if (usedBytes() + bytes <= quotaBytes) co_return Result<void>();
  co_return fail(ErrorCode::QuotaExceeded, "the vstorage's quota is used up");
}

// What landed while the measurement ran may be in it or not: it keeps counting.
void QuotaMeter::Known::rebase(std::shared_ptr<const SavingsSnapshot> measured, uint64_t landedBefore) {
  const Lock lock(mutex);
  isRough = false;
  if (snapshot == measured) return;  // an old figure: everything since still counts
  snapshot = std::move(measured);
  landedSince.fetch_sub(std::min(landedBefore, landedSince.load()));
}

// Nothing is taken off what landed since the start: the computation may have begun before that or after.
void QuotaMeter::Known::beginWith(std::shared_ptr<const SavingsSnapshot> measured) {
  const Lock lock(mutex);
  if (!snapshot) snapshot = std::move(measured);
}

}  // namespace quarry
