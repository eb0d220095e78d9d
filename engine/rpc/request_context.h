// SPDX-License-Identifier: GPL-3.0-or-later
// What a procedure knows of the call it serves besides its arguments. Lives in the dispatcher's frame until the reply is made, as does the
// record that the arguments point into.
#pragma once

#include <cstdint>

#include "engine/net/connection.h"
#include "engine/rpc/rpc_message.h"

namespace quarry::rpc {

struct RequestContext {
  const net::Peer& peer;
  const Call& call;
};

}  // namespace quarry::rpc
