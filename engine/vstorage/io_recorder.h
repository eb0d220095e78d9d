// SPDX-License-Identifier: GPL-3.0-or-later
// Where finished reads and writes are counted, for the engine, each vstorage and each VM. The engine puts its statistics behind it.
// Threads: record() from any, on the hot path: must not block. Ids: "engine", "vstorage/NAME", "vm/VSTORAGE/NAME".
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace quarry {

enum class IoKind { Read, Write };

class IoRecorder {
 public:
  virtual ~IoRecorder() = default;
  virtual void record(IoKind kind, uint64_t bytes, std::chrono::nanoseconds latency) = 0;
  // Blocks that a client read, by where they were. May be left out.
  virtual void recordBlocks(uint64_t, uint64_t) {}
};

class IoRecorders {
 public:
  virtual ~IoRecorders() = default;
  // The same recorder for the same id as long as anyone holds it. Never null.
  virtual std::shared_ptr<IoRecorder> open(const std::string& id) = 0;
};

}  // namespace quarry
