// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rpc/rpc_message.h"

namespace quarry::rpc {

namespace {
enum MessageType : uint32_t { CallMessage = 0, ReplyMessage = 1 };
enum ReplyStat : uint32_t { Accepted = 0, Denied = 1 };
enum RejectStat : uint32_t { RpcMismatch = 0, AuthError = 1 };

// False when the body is not what AUTH_SYS prescribes.
bool decodeAuthSys(Bytes body, Credential& credential) {
  XdrReader in(body);
  in.u32();  // stamp: any value
  in.string(machineNameMax);
  credential.uid = in.u32();
  credential.gid = in.u32();
  const uint32_t count = in.u32();
  if (!in.ok() || count > groupsMax) return false;
  credential.groups.reserve(count);
  for (uint32_t i = 0; i < count; ++i) credential.groups.push_back(in.u32());
  return in.ok();
}

std::optional<AuthStat> decodeCredential(uint32_t flavor, Bytes body, Credential& credential) {
  switch (flavor) {
    case uint32_t(AuthFlavor::None): return std::nullopt;
    case uint32_t(AuthFlavor::Sys):
      credential.flavor = AuthFlavor::Sys;
      if (decodeAuthSys(body, credential)) return std::nullopt;
      return AuthStat::BadCredential;
    default: return AuthStat::TooWeak;  // names no flavour of ours, so the client may try another
  }
}

void writeReplyHeader(XdrWriter& out, uint32_t xid, ReplyStat stat) {
  out.u32(xid);
  out.u32(ReplyMessage);
  out.u32(stat);
}
}  // namespace

Result<Call> decodeCall(Bytes record) {
  XdrReader in(record);
  Call call;
  call.xid = in.u32();
  const uint32_t type = in.u32();
  call.version = in.u32();
  if (!in.ok() || type != CallMessage) return fail(ErrorCode::Protocol, "what came is not an RPC call");
  if (call.version != rpcVersion) return call;
  call.program = in.u32();
  call.programVersion = in.u32();
  call.procedure = in.u32();
  const uint32_t flavor = in.u32();
  if (!in.ok()) return fail(ErrorCode::Protocol, "RPC call header cut short");
  const Bytes credentialBody = in.opaque(authBodyMax);
  if (!in.ok()) {
    call.refusal = AuthStat::BadCredential;
    return call;
  }
  call.refusal = decodeCredential(flavor, credentialBody, call.credential);
  in.u32();  // the verifier says nothing with these flavours
  in.opaque(authBodyMax);
  if (!in.ok() && !call.refusal) call.refusal = AuthStat::BadVerifier;
  call.argumentsAt = in.position();
  return call;
}

void writeAccepted(XdrWriter& out, uint32_t xid, AcceptStat stat) {
  writeReplyHeader(out, xid, Accepted);
  out.u32(uint32_t(AuthFlavor::None));  // verifier
  out.u32(0);
  out.u32(static_cast<uint32_t>(stat));
}

void writeProgramMismatch(XdrWriter& out, uint32_t xid, uint32_t low, uint32_t high) {
  writeAccepted(out, xid, AcceptStat::ProgramMismatch);
  out.u32(low);
  out.u32(high);
}

void writeRpcMismatch(XdrWriter& out, uint32_t xid) {
  writeReplyHeader(out, xid, Denied);
  out.u32(RpcMismatch);
  out.u32(rpcVersion);
  out.u32(rpcVersion);
}

void writeAuthError(XdrWriter& out, uint32_t xid, AuthStat stat) {
  writeReplyHeader(out, xid, Denied);
  out.u32(AuthError);
  out.u32(static_cast<uint32_t>(stat));
}

}  // namespace quarry::rpc
