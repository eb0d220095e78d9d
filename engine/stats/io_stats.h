// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes as clients feel them, for the engine, one vstorage or one VM: operations, bytes and latency. One call per request,
// four relaxed atomics; safe from any thread. declare() is the one place where these ten ids are described. About 5 KiB each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/stats/histogram.h"
#include "engine/stats/stat.h"
#include "engine/stats/stat_registry.h"

namespace quarry {

class IoStats {
 public:
  void recordRead(uint64_t bytes, uint64_t latencyNs) { m_read.record(bytes, latencyNs); }
  void recordWrite(uint64_t bytes, uint64_t latencyNs) { m_write.record(bytes, latencyNs); }
  // Blocks read, by where they were.
  void recordBlocks(uint64_t fromRam, uint64_t fromDisk) {
    m_ramBlocks.add(fromRam);
    m_diskBlocks.add(fromDisk);
  }

  // PREFIX/{read,write}/{iops,bytes,latency,latency-p99,io-size} and read/hit-ratio for prefixes such as "engine", "vstorage/main", "vm/main/web-1". What
  // it returns reads this object, which must outlive its registration. Call once: each declaration remembers the sample before.
  std::vector<StatDeclaration> declare(const std::string& prefix) const;

  uint64_t readCount() const { return m_read.operations.value(); }
  uint64_t writeCount() const { return m_write.operations.value(); }
  uint64_t readBytes() const { return m_read.bytes.value(); }
  uint64_t writeBytes() const { return m_write.bytes.value(); }

 private:
  struct alignas(64) Direction {
    Counter operations;
    Counter bytes;
    Histogram latencyNs;

    void record(uint64_t byteCount, uint64_t latency) {
      operations.add();
      bytes.add(byteCount);
      latencyNs.record(latency);
    }
  };
  static void declareDirection(std::vector<StatDeclaration>& group, const std::string& prefix, const char* verb, const Direction& direction);

  Direction m_read;
  Direction m_write;
  Counter m_ramBlocks, m_diskBlocks;
};

}  // namespace quarry
