// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics on the control protocol. Ids are paths: "engine/read/iops", "vstorage/NAME/read/iops",
// "vm/VSTORAGE/NAME/write/latency-p99"; the last two parts are one of
//   {read,write}/{iops, bytes (per second), latency (mean, µs), latency-p99 (µs), io-size (bytes)}
// and for engine and vstorages also "savings/{logical,zero,duplicate,compressed,stored,landing}" (bytes). The caches have
//   cache/hit_ratio, cache/read/{bytes, evictions (per second)}, cache/write/{dirty, unprotected (bytes), oldest_unprotected (seconds),
//   absorbed (bytes per second)}, journal/used (bytes)
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/protocol/unit.h"

namespace quarry::protocol {

struct StatDescription {
  std::string id;
  Unit unit = Unit::Count;
  std::string text;      // what it is, one sentence
  double maximum = 0;    // 0: none

  bool operator==(const StatDescription&) const = default;
};

// Notification "stats.sample", once a second to a connection that subscribed: only ids under the prefixes it asked for.
struct StatSample {
  int64_t unixMs = 0;
  std::map<std::string, double> values;
};

// Request "stats.subscribe": replaces this connection's set of prefixes; empty ends it.
struct StatSubscribe {
  std::vector<std::string> prefixes;
};

// Request "stats.history": the engine's own rings for exact ids; spans 300, 3600, 86400, 2592000 seconds.
struct StatHistoryRequest {
  std::vector<std::string> ids;
  uint64_t spanSeconds = 300;
};
struct StatSeries {
  std::string id;
  int64_t firstUnixMs = 0;      // time of values[0]
  uint64_t stepMs = 0;
  std::vector<double> values;   // NaN (null in JSON) where nothing was sampled
};

}  // namespace quarry::protocol
