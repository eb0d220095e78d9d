// SPDX-License-Identifier: GPL-3.0-or-later
// What the administrator reads about the size of the RAM cache: what the machine has, why a size cannot be, and what another one would be
// worth by the measured hit-ratio curve. Pure functions.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

#include "engine/protocol/messages.h"

namespace quarry {

// What the engine may be given on its machine. All 0: not known.
struct CacheRoom {
  uint64_t machineBytes = 0;
  uint64_t availableBytes = 0;
  uint64_t bytesMin = 0, bytesMax = 0;  // of the cache
  uint64_t bytes = 0;                   // of the cache, as it is or by default

  bool isKnown() const { return bytesMax > 0; }
  bool operator==(const CacheRoom&) const = default;
};

CacheRoom roomOf(const protocol::CacheInfo& info);
QString machineText(const CacheRoom& room);                      // "This machine has 64 GiB, 41 GiB free."
QString cacheSizeProblem(const CacheRoom& room, uint64_t bytes);  // empty when the size can be, as far as is known

// What `bytes` instead of today's size would be worth; for today's size, what more or less would. curve: of the engine, may be null.
QString cacheWorthText(const protocol::CacheInfo& info, const protocol::CacheCurve* curve, uint64_t bytes);
// Worth a button: where it says something and differs from today's size by more than a step.
std::optional<uint64_t> advisedSize(const protocol::CacheInfo& info, const protocol::CacheCurve* curve);

}  // namespace quarry
