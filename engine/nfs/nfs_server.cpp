// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs_server.h"

#include "engine/nfs/mount3_program.h"
#include "engine/nfs/nfs3_program.h"
#include "engine/nfs/nfs_service.h"
#include "engine/rpc/dispatcher.h"

namespace quarry::nfs {

// In order of construction; the listener goes first and with it every request.
struct NfsServer::Parts {
  Parts(const NfsServerOptions& options, net::LoopPool& loops, ExportTable& exports, const Clock& clock)
      : handles(options.storeId, options.storeKey), service(exports, handles, clock), nfs3(service), mount3(service), listener(loops, dispatcher) {
    dispatcher.add(nfs3);
    dispatcher.add(mount3);
  }

  HandleCodec handles;
  NfsService service;
  Nfs3Program nfs3;
  Mount3Program mount3;
  rpc::Dispatcher dispatcher;
  net::Listener listener;
};

NfsServer::NfsServer(const NfsServerOptions& options, net::LoopPool& loops, ExportTable& exports, const Clock& clock)
    : m_listen{options.address, options.port}, m_parts(std::make_unique<Parts>(options, loops, exports, clock)) {}

NfsServer::~NfsServer() = default;

Result<uint16_t> NfsServer::start() { return m_parts->listener.start(m_listen); }

bool NfsServer::stop() { return m_parts->listener.stop(stopPatience); }

const net::ConnectionCounters& NfsServer::counters() const { return m_parts->listener.counters(); }

uint64_t NfsServer::retransmissionCount() const { return m_parts->dispatcher.retransmissionCount(); }

}  // namespace quarry::nfs
