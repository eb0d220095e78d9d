// SPDX-License-Identifier: GPL-3.0-or-later
// One connection of the load generator, with a fixed number of READs or WRITEs under way. It costs as little as it can: requests are made
// in place from a template, data is sent from where it lies, of replies only the head is looked at; whatever came together is answered by
// new requests that go out together.
//
// Blocks carry the file offset that they were written at and a number, so no two are alike, and every READ is checked for the former.
// Threads: one at a time. Times are of the steady clock, latencies in µs.
// Failure: an Error with the operation and what was wrong with its reply; the load is to be given up.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "tests/bench/rpc_socket.h"

namespace quarry::bench {

using SteadyTime = std::chrono::steady_clock::time_point;

enum class Order { Random, Sequential, Once };  // Once: in order through the file, then the load ends
enum class Stability : uint32_t { Unstable = 0, FileSync = 2 };

struct Load {
  bool writes = false;
  bool checksData = true;
  Order order = Order::Random;
  Stability stability = Stability::FileSync;
  uint64_t fileBytes = 0;
  uint32_t requestBytes = 4096;
  uint32_t depth = 1;                  // under way on each connection
  std::vector<std::byte> fileHandle;
};

// Where the next request goes; shared by all connections.
class OffsetSource {
 public:
  explicit OffsetSource(const Load& load) : m_load(load) {}
  bool hasNext() const { return m_load.order != Order::Once || m_next < m_load.fileBytes; }
  uint64_t next();

 private:
  const Load& m_load;
  std::mt19937_64 m_random{1};
  uint64_t m_next = 0;
};

class LoadConnection {
 public:
  static constexpr uint32_t depthMax = 256;

  LoadConnection(RpcSocket socket, const Load& load, OffsetSource& offsets);

  int descriptor() const { return m_socket.descriptor(); }
  void startRequests(SteadyTime now);       // in every place that is free
  Result<void> send();                      // as much as the socket takes
  Result<void> receive(MutableBytes space);  // what has come, into `space` for the moment
  bool hasUnsent() const { return !m_unsent.empty(); }
  bool isIdle() const { return m_free.size() == m_slots.size(); }
  const std::vector<uint32_t>& latenciesUs() const { return m_latenciesUs; }

 private:
  static constexpr size_t replyHeadBytes = 192;  // holds everything of a READ or WRITE reply before the data, and the data's stamp

  // A place for one request. The memory stays as it is until the reply has come.
  struct Slot {
    std::vector<std::byte> call;
    AlignedBuffer data;
    uint64_t offset = 0;
    uint32_t xid = 0;
    SteadyTime started;
    bool isUnderWay = false;
  };

  void prepare(Slot& slot, uint32_t seed);
  Result<void> consume(Bytes bytes, SteadyTime now);
  Result<void> finish(SteadyTime now);
  std::string faultOfRead(rpc::XdrReader& in, const Slot& slot) const;
  std::string faultOfWrite(rpc::XdrReader& in) const;
  Error failed(const std::string& why) const { return {ErrorCode::Protocol, std::string(m_load.writes ? "WRITE: " : "READ: ") + why}; }

  RpcSocket m_socket;
  const Load& m_load;
  OffsetSource& m_offsets;
  std::vector<Slot> m_slots;
  std::vector<uint32_t> m_free;         // indexes
  std::deque<Bytes> m_unsent;
  uint32_t m_callCount = 0;
  size_t m_offsetAt = 0;                // of the offset argument in a call
  std::array<std::byte, 4> m_mark{};    // of the reply that is coming
  size_t m_markSize = 0;
  std::array<std::byte, replyHeadBytes> m_head{};
  size_t m_headSize = 0, m_replySize = 0, m_replyLeft = 0;
  std::vector<uint32_t> m_latenciesUs;
};

}  // namespace quarry::bench
