// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/mount3_program.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/base/log.h"
#include "engine/nfs/mount_path.h"
#include "engine/nfs/nfs3_xdr.h"

namespace quarry::nfs {

namespace {
using rpc::Reply;
using rpc::RequestContext;
using Row = rpc::Procedure<NfsService>;

// Of bytes from outside, for the log: one line, whatever they are.
std::string printable(std::string_view text) {
  std::string shown(text);
  std::replace_if(shown.begin(), shown.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return shown;
}

std::string_view readPath(XdrReader& in) { return in.string(mountPathBytesMax); }

// The folder that a path stands for. Folders are looked up as root: a mount gives a handle, and every use of it is checked again.
Result<Inode> findFolder(const NfsService& service, const std::string& client, const MountPath& path) {
  const std::shared_ptr<Vstorage> vstorage = service.exports().find(path.vstorage);
  if (!vstorage) return fail(ErrorCode::NotFound, "no vstorage is called '" + path.vstorage + "'");
  if (!vstorage->allowsClient(client)) return fail(ErrorCode::AccessDenied, "it may not use vstorage '" + path.vstorage + "'");
  Result<Inode> inode = vstorage->getAttributes(vstorage->root());
  for (const std::string& folder : path.folders) {
    if (!inode) return inode;
    inode = vstorage->lookup(Caller{0, 0, {}}, inode->fileid, folder);
  }
  if (!inode) return inode;
  if (const auto allowed = checkDirectory(*inode); !allowed) return fail(allowed.error());
  return inode;
}

Task<AcceptStat> mount3Null(NfsService&, const RequestContext&, XdrReader&, Reply&) { co_return AcceptStat::Success; }

Task<AcceptStat> mount3Mount(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const std::string_view path = readPath(in);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const std::string& client = context.peer.address;
  XdrWriter& out = reply.results();
  const Result<MountPath> parsed = parseMountPath(path);
  const Result<Inode> folder = parsed ? findFolder(service, client, *parsed) : fail(parsed.error());
  if (!folder) {
    if (service.warnings().allows(client)) log("nfs").warn("mount of '{}' by {} refused: {}", printable(path), client, printable(folder.error().message));
    writeStatus(out, toMountStatus(folder.error().code));
    co_return AcceptStat::Success;
  }
  service.exports().noteMount(client, mountPathText(*parsed));
  if (service.warnings().allows(client + " mounts")) log("nfs").info("mount of '{}' by {}", printable(path), client);
  writeStatus(out, Nfsstat3::Ok);
  out.opaque(service.handleOf(*folder));
  out.u32(1);  // one flavour
  out.u32(static_cast<uint32_t>(rpc::AuthFlavor::Sys));
  co_return AcceptStat::Success;
}

Task<AcceptStat> mount3Dump(NfsService& service, const RequestContext&, XdrReader&, Reply& reply) {
  XdrWriter& out = reply.results();
  for (const auto& [client, path] : service.exports().mounts()) {
    if (out.size() > net::payloadBytesMax) break;
    out.boolean(true);
    out.string(client);
    out.string(path);
  }
  out.boolean(false);
  co_return AcceptStat::Success;
}

Task<AcceptStat> mount3Unmount(NfsService& service, const RequestContext& context, XdrReader& in, Reply&) {
  const std::string_view path = readPath(in);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  if (const Result<MountPath> parsed = parseMountPath(path)) service.exports().noteUnmount(context.peer.address, mountPathText(*parsed));
  co_return AcceptStat::Success;
}

Task<AcceptStat> mount3UnmountAll(NfsService& service, const RequestContext& context, XdrReader&, Reply&) {
  service.exports().noteUnmount(context.peer.address, "");
  co_return AcceptStat::Success;
}

// What the asking client may mount, with its own address as the group: clients parse that column and want it filled.
Task<AcceptStat> mount3Export(NfsService& service, const RequestContext& context, XdrReader&, Reply& reply) {
  XdrWriter& out = reply.results();
  for (const std::shared_ptr<Vstorage>& vstorage : service.exports().all()) {
    if (!vstorage->allowsClient(context.peer.address)) continue;
    if (out.size() > net::payloadBytesMax) break;
    out.boolean(true);
    out.string("/" + vstorage->name());
    out.boolean(true);
    out.string(context.peer.address);
    out.boolean(false);  // no more groups
  }
  out.boolean(false);
  co_return AcceptStat::Success;
}

constexpr std::array<Row, 6> table{{
    {{0, "NULL", rpc::NoTrait}, &mount3Null},
    {{1, "MNT", rpc::NoTrait}, &mount3Mount},
    {{2, "DUMP", rpc::NoTrait}, &mount3Dump},
    {{3, "UMNT", rpc::NoTrait}, &mount3Unmount},
    {{4, "UMNTALL", rpc::NoTrait}, &mount3UnmountAll},
    {{5, "EXPORT", rpc::NoTrait}, &mount3Export},
}};
}  // namespace

Mount3Program::Mount3Program(NfsService& service) : TableProgram(mountProgramNumber, 3, table, service) {}

}  // namespace quarry::nfs
