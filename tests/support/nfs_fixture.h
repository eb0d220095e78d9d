// SPDX-License-Identifier: GPL-3.0-or-later
// An NfsServer over FakeVstorages on a port of its own, and a client that speaks NFSv3 to it through a real socket, for tests.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/nfs/mount3_program.h"
#include "engine/nfs/nfs3_program.h"
#include "engine/nfs/nfs_server.h"
#include "engine/nfs/nfs_status.h"
#include "tests/support/fake_vstorage.h"
#include "tests/support/rpc_client.h"

namespace quarry::test {

using nfs::Nfsstat3;

inline constexpr uint32_t garbageArgs = 1'000'000;  // as a status: the call itself was refused
inline constexpr uint32_t connectionLost = 1'000'001;

// A whole reply: the status and a reader over what follows it.
struct NfsReply {
  uint32_t status = connectionLost;
  std::shared_ptr<ByteVector> bytes = std::make_shared<ByteVector>();
  rpc::XdrReader in{Bytes()};

  bool is(Nfsstat3 wanted) const { return status == static_cast<uint32_t>(wanted); }
};

struct Fattr {
  uint32_t type = 0, mode = 0, linkCount = 0, uid = 0, gid = 0;
  uint64_t size = 0, used = 0, fsid = 0, fileid = 0;
  uint64_t modified = 0, changed = 0;  // seconds << 32 | ns
};

inline Fattr readFattr(rpc::XdrReader& in) {
  Fattr attributes;
  attributes.type = in.u32();
  attributes.mode = in.u32();
  attributes.linkCount = in.u32();
  attributes.uid = in.u32();
  attributes.gid = in.u32();
  attributes.size = in.u64();
  attributes.used = in.u64();
  in.u64();  // rdev
  attributes.fsid = in.u64();
  attributes.fileid = in.u64();
  in.u64();  // accessed
  attributes.modified = in.u64();
  attributes.changed = in.u64();
  return attributes;
}

inline std::optional<Fattr> readPostOp(rpc::XdrReader& in) {
  if (!in.boolean()) return std::nullopt;
  return readFattr(in);
}

struct Wcc {
  bool hasBefore = false;
  uint64_t sizeBefore = 0, changedBefore = 0;
  std::optional<Fattr> after;
};

inline Wcc readWcc(rpc::XdrReader& in) {
  Wcc wcc;
  wcc.hasBefore = in.boolean();
  if (wcc.hasBefore) {
    wcc.sizeBefore = in.u64();
    in.u64();
    wcc.changedBefore = in.u64();
  }
  wcc.after = readPostOp(in);
  return wcc;
}

inline std::string readHandle(rpc::XdrReader& in) { return std::string(asText(in.opaque(64))); }
inline std::string readPostOpHandle(rpc::XdrReader& in) { return in.boolean() ? readHandle(in) : std::string(); }

// sattr3 with what is given.
inline void writeSattr(rpc::XdrWriter& out, std::optional<uint32_t> mode = {}, std::optional<uint64_t> size = {}) {
  out.boolean(mode.has_value());
  if (mode) out.u32(*mode);
  out.u32(0);
  out.u32(0);
  out.boolean(size.has_value());
  if (size) out.u64(*size);
  out.u32(0);
  out.u32(0);
}

class NfsClient : public RpcClient {
 public:
  using RpcClient::RpcClient;
  using Arguments = std::function<void(rpc::XdrWriter&)>;

  NfsReply nfs(uint32_t procedure, const Arguments& arguments, std::optional<uint32_t> xid = {}) {
    return callProgram(nfs::nfsProgramNumber, procedure, arguments, xid);
  }
  NfsReply mount(uint32_t procedure, const Arguments& arguments) { return callProgram(nfs::mountProgramNumber, procedure, arguments, {}); }

  std::string mountRoot(const std::string& path) {
    NfsReply reply = mount(1, [&](auto& out) { out.string(path); });
    return reply.status == 0 ? readHandle(reply.in) : std::string();
  }
  NfsReply getAttr(const std::string& handle) {
    return nfs(1, [&](auto& out) { out.string(handle); });
  }
  Fattr attributes(const std::string& handle) {
    NfsReply reply = getAttr(handle);
    return reply.status == 0 ? readFattr(reply.in) : Fattr{};
  }
  NfsReply lookup(const std::string& directory, const std::string& name) {
    return nfs(3, [&](auto& out) { out.string(directory); out.string(name); });
  }
  NfsReply create(const std::string& directory, const std::string& name, uint32_t mode, std::optional<uint64_t> size = {}, std::optional<uint32_t> xid = {}) {
    return nfs(8, [&](auto& out) {
      out.string(directory);
      out.string(name);
      out.u32(mode);
      writeSattr(out, 0644, size);
    }, xid);
  }
  // The handle of a new file.
  std::string makeFile(const std::string& directory, const std::string& name) {
    NfsReply reply = create(directory, name, 1);
    return reply.status == 0 ? readPostOpHandle(reply.in) : std::string();
  }
  std::string makeFolder(const std::string& directory, const std::string& name) {
    NfsReply reply = nfs(9, [&](auto& out) { out.string(directory); out.string(name); writeSattr(out, 0755); });
    return reply.status == 0 ? readPostOpHandle(reply.in) : std::string();
  }
  NfsReply write(const std::string& file, uint64_t offset, const std::string& data, uint32_t stable = 2, std::optional<uint32_t> count = {}) {
    return nfs(7, [&](auto& out) {
      out.string(file);
      out.u64(offset);
      out.u32(count.value_or(static_cast<uint32_t>(data.size())));
      out.u32(stable);
      out.string(data);
    });
  }
  NfsReply read(const std::string& file, uint64_t offset, uint32_t count) {
    return nfs(6, [&](auto& out) { out.string(file); out.u64(offset); out.u32(count); });
  }
  NfsReply byName(uint32_t procedure, const std::string& directory, const std::string& name, std::optional<uint32_t> xid = {}) {
    return nfs(procedure, [&](auto& out) { out.string(directory); out.string(name); }, xid);
  }
  NfsReply byNames(uint32_t procedure, const std::string& from, const std::string& fromName, const std::string& to, const std::string& toName) {
    return nfs(procedure, [&](auto& out) { out.string(from); out.string(fromName); out.string(to); out.string(toName); });
  }

  static NfsReply decode(const std::optional<TestReply>& reply) {
    NfsReply decoded;
    if (!reply) return decoded;
    decoded.status = garbageArgs;
    if (reply->denied || reply->stat != 0) return decoded;
    *decoded.bytes = reply->results;
    decoded.in = rpc::XdrReader(Bytes(*decoded.bytes));
    decoded.status = decoded.in.u32();
    return decoded;
  }

 private:
  NfsReply callProgram(uint32_t program, uint32_t procedure, const Arguments& arguments, std::optional<uint32_t> xid) {
    rpc::XdrWriter out;
    arguments(out);
    return decode(call({program, 3, procedure}, out.bytes(), xid));
  }
};

struct NfsFixture {
  NfsFixture() { port = server.start().value_or(0); }

  nfs::NfsServerOptions options() const {
    nfs::NfsServerOptions made;
    made.address = "127.0.0.1";
    made.port = 0;
    made.storeId.fill(std::byte{5});
    made.storeKey = asBytes("a secret of this test's store");
    return made;
  }

  SystemClock clock;
  net::LoopPool loops{2};
  FakeExportTable exports;
  std::shared_ptr<FakeVstorage> alpha = exports.add(1, "alpha"), beta = exports.add(2, "beta");
  nfs::NfsServer server{options(), loops, exports, clock};
  uint16_t port = 0;
};

}  // namespace quarry::test
