// SPDX-License-Identifier: GPL-3.0-or-later
// A TCP connection that speaks ONC RPC as a client, for the benchmarks: calls with AUTH_SYS as root, and one call after the other until the
// load begins, which then works on the bare descriptor.
//
// Threads: one at a time. Failure: an Error that says what the server did or did not do; the connection is of no use after it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/rpc/xdr.h"

namespace quarry::bench {

inline constexpr uint32_t nfsProgram = 100003, mountProgram = 100005;
enum NfsProcedure : uint32_t { Lookup = 3, Read = 6, Write = 7, Create = 8, Commit = 21 };

struct Endpoint {
  std::string host;  // IPv4
  uint16_t port = 0;
};

// The header of a call, behind room for the record mark; arguments follow.
rpc::XdrWriter beginCall(uint32_t xid, uint32_t program, uint32_t procedure);
// Writes the mark of a record that ends with `attachedBytes` more than `call` holds.
void sealCall(std::vector<std::byte>& call, size_t attachedBytes = 0);
// Reads the header of a reply up to the results. False: the server did not accept the call.
bool readReplyHeader(rpc::XdrReader& in, uint32_t& xid);

class RpcSocket {
 public:
  static Result<RpcSocket> connect(const Endpoint& endpoint);
  RpcSocket(RpcSocket&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
  RpcSocket& operator=(RpcSocket&&) = delete;
  ~RpcSocket();

  // What follows a status of 0. `what` names the call in an error.
  Result<std::vector<std::byte>> call(rpc::XdrWriter call, const std::string& what);
  int descriptor() const { return m_descriptor; }

 private:
  explicit RpcSocket(int descriptor) : m_descriptor(descriptor) {}
  Result<std::vector<std::byte>> receiveRecord();

  int m_descriptor = -1;
};

}  // namespace quarry::bench
