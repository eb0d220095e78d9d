// SPDX-License-Identifier: GPL-3.0-or-later
// History of many numbers in RAM: for each id four rings, from five minutes by the second to thirty days by two hours
// (history_format.h), 5 KiB an id and at most historySeriesMax ids; the one without news for longest makes room. Coarser
// steps hold means, so a 99th percentile over a long span is the mean of the percentiles of its seconds.
// Not locked; the sampler does that. A blob that is refused changes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/protocol/stat_messages.h"
#include "engine/stats/history_ring.h"

namespace quarry {

class HistoryRings {
 public:
  void add(const std::string& id, int64_t unixMs, double value);
  // All NaN for an id that has no history; InvalidArgument: no such span.
  Result<protocol::StatSeries> series(const std::string& id, uint64_t spanSeconds, int64_t unixMs) const;

  std::vector<std::byte> toBlob() const;
  Result<void> fromBlob(Bytes blob);  // replaces everything; Corrupt, VersionTooNew

 private:
  using Rings = std::vector<HistoryRing>;
  static Rings emptyRings();
  void makeRoom();

  std::map<std::string, Rings> m_series;
};

}  // namespace quarry
