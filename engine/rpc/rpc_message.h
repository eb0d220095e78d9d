// SPDX-License-Identifier: GPL-3.0-or-later
// The headers of ONC RPC version 2, RFC 5531 section 9, with the flavours AUTH_NONE and AUTH_SYS (appendix A).
//
// Threads: pure functions. Failure: decodeCall() gives Protocol for what is not a call at all (too short, a reply): such a peer is to be
// dropped. What RFC 5531 lets a server refuse is kept in the Call for the dispatcher to answer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/rpc/xdr.h"

namespace quarry::rpc {

inline constexpr uint32_t rpcVersion = 2;
inline constexpr size_t groupsMax = 16;
inline constexpr size_t machineNameMax = 255;
inline constexpr size_t authBodyMax = 400;

enum class AuthFlavor : uint32_t { None = 0, Sys = 1 };

// Why a call is refused for its credential; values of the protocol.
enum class AuthStat : uint32_t { BadCredential = 1, RejectedCredential = 2, BadVerifier = 3, RejectedVerifier = 4, TooWeak = 5 };

// How an accepted call ended; values of the protocol.
enum class AcceptStat : uint32_t { Success = 0, ProgramUnavailable = 1, ProgramMismatch = 2, ProcedureUnavailable = 3, GarbageArgs = 4, SystemError = 5 };

// Who asks, as the client says. AUTH_NONE: nobody.
struct Credential {
  AuthFlavor flavor = AuthFlavor::None;
  uint32_t uid = 65534, gid = 65534;
  std::vector<uint32_t> groups;
};

struct Call {
  uint32_t xid = 0;
  uint32_t version = 0;                     // of RPC; the rest is only there when it is rpcVersion
  uint32_t program = 0, programVersion = 0, procedure = 0;
  Credential credential;
  std::optional<AuthStat> refusal;          // the credential is not usable
  size_t argumentsAt = 0;                   // where the arguments start in the record
};

Result<Call> decodeCall(Bytes record);

// Reply headers. For Success the results follow.
void writeAccepted(XdrWriter& out, uint32_t xid, AcceptStat stat);
void writeProgramMismatch(XdrWriter& out, uint32_t xid, uint32_t low, uint32_t high);
void writeRpcMismatch(XdrWriter& out, uint32_t xid);
void writeAuthError(XdrWriter& out, uint32_t xid, AuthStat stat);

}  // namespace quarry::rpc
