// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the hit-ratio curves of cache.advice, the same for the console and quarryctl: what another size of cache would be worth.
// Pure functions; safe from any thread. A curve from outside may hold anything; the answers are ratios 0…1 all the same.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/protocol/messages.h"

namespace quarry::protocol {

inline constexpr uint64_t curveAccessesMin = 10'000;  // blocks read before a curve says anything
inline constexpr double adviceLossMax = 0.02;         // hit ratio that the advised size may lack against the largest one

// Whether there is enough in it to be believed.
bool isMeaningful(const CacheCurve& curve);

// Between points a straight line; from nothing at no cache to the first one, level after the last one.
double hitRatioAt(const CacheCurve& curve, uint64_t bytes);

// Share of today's disk reads that a cache of `after` instead of `before` bytes would save; negative when there would be more. None
// when there are no disk reads to be saved, or the curve is too poor.
std::optional<double> savedDiskReads(const CacheCurve& curve, uint64_t before, uint64_t after);

// The smallest round size (in steps of a power of two, at least 32 of them up to the largest) whose hit ratio is nearly that of the largest:
// more RAM would be worth little. None when the curve is too poor.
struct SizeLimits {
  uint64_t bytesMin = 0;
  uint64_t bytesMax = 0;
};
std::optional<uint64_t> advisedBytes(const CacheCurve& curve, SizeLimits limits);

// The engine's own curve, null when there is none.
const CacheCurve* engineCurve(const CacheAdvice& advice);

}  // namespace quarry::protocol
