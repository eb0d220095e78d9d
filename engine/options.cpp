// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/options.h"

#include <algorithm>
#include <asio/ip/address.hpp>
#include <thread>

#include "engine/protocol/socket_path.h"

namespace quarry {

Result<Options> resolved(Options options) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (options.loopThreads == 0) options.loopThreads = std::min(cores, loopThreadsMax);
  if (options.workerThreads == 0) options.workerThreads = cores;
  if (options.controlSocket.empty()) options.controlSocket = protocol::defaultControlSocket();

  if (options.storePath.empty()) return fail(ErrorCode::InvalidArgument, "--store: name the folder of the store");
  if (options.loopThreads < 1 || options.loopThreads > loopThreadsMax)
    return fail(ErrorCode::InvalidArgument, "--threads: from 1 to " + std::to_string(loopThreadsMax));
  if (options.nfsPort < 0 || options.nfsPort > 65535) return fail(ErrorCode::InvalidArgument, "--nfs-port: from 0 to 65535");
  asio::error_code bad;
  asio::ip::make_address(options.listenAddress, bad);
  if (bad) return fail(ErrorCode::InvalidArgument, "--listen: '" + options.listenAddress + "' is no IPv4 or IPv6 address");
  return options;
}

}  // namespace quarry
