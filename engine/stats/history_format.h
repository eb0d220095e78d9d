// SPDX-License-Identifier: GPL-3.0-or-later
// The rings of history as one blob, kept by the engine over restarts. All numbers little-endian.
//
//   blob   := HistoryHeader series{seriesCount}
//   series := u16 idBytes, id, ring{4}            one ring per span of historySpans, in order
//   ring   := i64 lastSlot, f32 value{capacity}   value of slot s at index s mod capacity; NaN: nothing sampled; lastSlot -1: empty
//
// Slot s covers [s, s + 1) × step since 1970. Valid when magic and version fit, the checksum (base/checksum.h over everything behind the
// header) agrees and the series end where the blob ends; otherwise the whole blob is refused. A change of historySpans needs a new version.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace quarry {

struct HistorySpan {
  uint64_t spanSeconds;
  uint64_t stepSeconds;
  constexpr size_t capacity() const { return static_cast<size_t>(spanSeconds / stepSeconds); }
};

inline constexpr std::array<HistorySpan, 4> historySpans{{{300, 1}, {3600, 12}, {86400, 300}, {2592000, 7200}}};
static_assert(historySpans[0].capacity() == 300 && historySpans[1].capacity() == 300);
static_assert(historySpans[2].capacity() == 288 && historySpans[3].capacity() == 360);

inline constexpr uint64_t historyMagic = 0x3154534948535251;  // "QRSHIST1"
inline constexpr uint32_t historyVersion = 1;
inline constexpr size_t historyIdBytesMax = 1024;
inline constexpr size_t historySeriesMax = 4096;  // 5 KiB each

struct HistoryHeader {
  uint64_t magic;
  uint64_t checksum;
  uint32_t version;
  uint32_t seriesCount;
};
static_assert(sizeof(HistoryHeader) == 24 && std::is_trivially_copyable_v<HistoryHeader>);

}  // namespace quarry
