// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/cache_curve.h"

#include <algorithm>
#include <bit>

namespace quarry::protocol {

namespace {

constexpr uint64_t advisedStepsMin = 32;

// NaN becomes 0.
double ratio(double value) { return value > 0 ? std::min(value, 1.0) : 0; }

double between(const CachePoint& left, const CachePoint& right, uint64_t bytes) {
  if (right.bytes <= left.bytes) return ratio(right.hitRatio);
  const double share = static_cast<double>(bytes - left.bytes) / static_cast<double>(right.bytes - left.bytes);
  return ratio(left.hitRatio) + share * (ratio(right.hitRatio) - ratio(left.hitRatio));
}

}  // namespace

bool isMeaningful(const CacheCurve& curve) { return curve.accessCount >= curveAccessesMin && !curve.points.empty(); }

double hitRatioAt(const CacheCurve& curve, uint64_t bytes) {
  CachePoint left{};
  for (const CachePoint& right : curve.points) {
    if (right.bytes >= bytes) return between(left, right, bytes);
    left = right;
  }
  return ratio(left.hitRatio);
}

std::optional<double> savedDiskReads(const CacheCurve& curve, uint64_t before, uint64_t after) {
  if (!isMeaningful(curve)) return std::nullopt;
  const double missesBefore = 1 - hitRatioAt(curve, before);
  if (missesBefore <= 0) return std::nullopt;
  return (missesBefore - (1 - hitRatioAt(curve, after))) / missesBefore;
}

std::optional<uint64_t> advisedBytes(const CacheCurve& curve, SizeLimits limits) {
  if (!isMeaningful(curve) || limits.bytesMax < limits.bytesMin) return std::nullopt;
  const double enough = hitRatioAt(curve, limits.bytesMax) - adviceLossMax;
  const uint64_t step = std::bit_floor(std::max(limits.bytesMax / advisedStepsMin, uint64_t{1}));
  for (uint64_t bytes = step; bytes < limits.bytesMax; bytes += step) {
    if (bytes < limits.bytesMin) continue;
    if (hitRatioAt(curve, bytes) >= enough) return bytes;
  }
  return limits.bytesMax;
}

const CacheCurve* engineCurve(const CacheAdvice& advice) {
  const auto found = std::find_if(advice.curves.begin(), advice.curves.end(), [](const CacheCurve& curve) { return curve.vstorage.empty(); });
  return found == advice.curves.end() ? nullptr : &*found;
}

}  // namespace quarry::protocol
