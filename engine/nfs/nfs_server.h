// SPDX-License-Identifier: GPL-3.0-or-later
// The NFS side of the engine in one object: NFSv3 and MOUNT v3 over TCP on one port.
//
// Threads: start(), stop() and destruction from one thread that is not a loop; the counters from any. Ownership: loops (running), exports
// and clock must outlive it. Everything else of the engine may use the same loops.
// Failure of start(): an Error that names the port and says what to do. stop() lets what was received finish for up to stopPatience and
// then cuts it off; the destructor waits for requests that still run.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/clock.h"
#include "engine/base/result.h"
#include "engine/net/listener.h"
#include "engine/net/loop_pool.h"
#include "engine/nfs/file_handle.h"
#include "engine/vstorage/export_table.h"

namespace quarry::nfs {

inline constexpr std::chrono::seconds stopPatience{5};

struct NfsServerOptions {
  std::string address = "0.0.0.0";
  uint16_t port = 2049;  // 0: the system chooses one
  StoreId storeId{};
  Bytes storeKey;        // the store's secret; read by the constructor only
};

class NfsServer {
 public:
  NfsServer(const NfsServerOptions& options, net::LoopPool& loops, ExportTable& exports, const Clock& clock);
  ~NfsServer();

  Result<uint16_t> start();  // the port
  bool stop();               // true when everything received was answered

  const net::ConnectionCounters& counters() const;
  uint64_t retransmissionCount() const;  // answered by the reply cache

 private:
  struct Parts;
  const net::ListenOptions m_listen;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace quarry::nfs
