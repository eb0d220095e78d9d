// SPDX-License-Identifier: GPL-3.0-or-later
// A whole RPC call into the dispatcher over a FakeVstorage. Bytes 0 and 1 say where real handles are put into the call, so that mutated calls
// still reach files and folders. Every call gets a well-formed reply of bounded size, or ends the connection; every unmutated seed of NFS
// succeeds.
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/log.h"
#include "engine/nfs/mount3_program.h"
#include "engine/nfs/nfs3_program.h"
#include "engine/rpc/dispatcher.h"
#include "tests/support/fake_vstorage.h"
#include "tests/support/rpc_client.h"
#include "tests/support/run_task.h"

using namespace quarry;

namespace {
constexpr size_t headerBytes = 64;  // of a call with the test client's credential: where most handles are

// One server for all runs; the namespace grows and shrinks with what the calls do.
struct Server {
  Server() {
    setUpLog("off");
    exports.add(1, "alpha");
    dispatcher.add(nfs3);
    dispatcher.add(mount3);
    add(metadata::FileType::Directory, "folder");
    add(metadata::FileType::Regular, "file");
    add(metadata::FileType::Symlink, "link");
  }

  void add(metadata::FileType type, const std::string& name) {
    const auto vstorage = exports.find(1);
    metadata::CreateRequest request;
    request.directory = vstorage->root();
    request.name = name;
    request.type = type;
    request.symlinkTarget = "target";
    const Caller root{0, 0, {}};
    test::runTask(context, vstorage->create(root, request));
  }

  // Of the root or one of its entries.
  std::string handle(uint8_t choice) const {
    const auto vstorage = exports.find(1);
    const auto page = vstorage->readDirectory(Caller{0, 0, {}}, vstorage->root(), 0, 100);
    return std::string(asText(service.handleOf(page->entries[choice % page->entries.size()].inode)));
  }

  asio::io_context context;
  SystemClock clock;
  test::FakeExportTable exports;
  nfs::HandleCodec handles{nfs::StoreId{}, asBytes("fuzz")};
  nfs::NfsService service{exports, handles, clock};
  nfs::Nfs3Program nfs3{service};
  nfs::Mount3Program mount3{service};
  rpc::Dispatcher dispatcher;
  const net::Peer peer{"127.0.0.1", 700};
};

// Which handle of Server::handle() stands first in the call.
enum Place : char { Root, Parent, Folder, File, Link };

std::string seed(uint32_t program, uint32_t procedure, Place place, const rpc::XdrWriter& arguments) {
  const auto call = test::encodeCall(1, {program, 3, procedure}, {}, arguments.bytes());
  return std::string({static_cast<char>(place), '\x01'}) + std::string(asText(call));
}

// The reply's bytes without its mark, none when the connection was ended; checks what holds for every reply.
std::optional<test::ByteVector> answer(Server& server, std::string call, uint8_t place, uint8_t replaces) {
  const std::string handle = server.handle(place);
  if (replaces % 4 != 0 && call.size() >= headerBytes + 4 + handle.size()) call.replace(headerBytes + 4, handle.size(), handle);
  const auto reply = test::runTask(server.context, server.dispatcher.handle(server.peer, net::Record::copyOf(asBytes(call))));
  if (!reply) return std::nullopt;
  test::ByteVector bytes(reply->head.begin() + net::recordMarkBytes, reply->head.end());
  QUARRY_CHECK(bytes.size() % 4 == 0 && bytes.size() + reply->body.size() <= net::recordBytesMax);
  const auto decoded = test::decodeReply(bytes);
  QUARRY_CHECK(decoded && decoded->xid == rpc::XdrReader(asBytes(call)).u32());
  return bytes;
}

class Seeds {
 public:
  using Arguments = std::function<void(rpc::XdrWriter&)>;

  // A seed must reach the procedure's work: one that is refused leaves the rest of it to luck.
  void add(uint32_t procedure, Place place, const Arguments& arguments) {
    rpc::XdrWriter out;
    if (procedure != 0) out.string(Server().handle(static_cast<uint8_t>(place)));
    arguments(out);
    const std::string made = seed(nfs::nfsProgramNumber, procedure, place, out);
    Server server;
    const auto reply = answer(server, made.substr(2), static_cast<uint8_t>(place), 1);
    const auto decoded = reply ? test::decodeReply(*reply) : std::nullopt;
    QUARRY_CHECK(decoded && !decoded->denied && decoded->stat == 0);
    QUARRY_CHECK(procedure == 0 || rpc::XdrReader(Bytes(decoded->results)).u32() == 0);
    all.push_back(made);
  }
  std::vector<std::string> all;
};

void words(rpc::XdrWriter& out, std::initializer_list<uint32_t> values) {
  for (const uint32_t value : values) out.u32(value);
}
void sattr(rpc::XdrWriter& out) { words(out, {1, 0644, 0, 0, 0, 0, 0}); }

void addReads(Seeds& seeds) {
  seeds.add(0, Root, [](auto&) {});
  seeds.add(1, File, [](auto&) {});
  seeds.add(3, Root, [](auto& out) { out.string("file"); });
  seeds.add(4, File, [](auto& out) { out.u32(63); });
  seeds.add(5, Link, [](auto&) {});
  seeds.add(6, File, [](auto& out) { words(out, {0, 0, 4096}); });
  seeds.add(16, Root, [](auto& out) { words(out, {0, 0, 0, 0, 4096}); });
  seeds.add(17, Root, [](auto& out) { words(out, {0, 0, 0, 0, 1024, 8192}); });
  for (uint32_t procedure : {18u, 19u, 20u}) seeds.add(procedure, Root, [](auto&) {});
  seeds.add(21, File, [](auto& out) { words(out, {0, 0, 0}); });
}

void addChanges(Seeds& seeds) {
  const std::string root = Server().handle(Root);
  seeds.add(2, File, [](auto& out) { words(out, {1, 0600, 0, 0, 1, 0, 5000, 1, 2, 7, 8, 0}); });
  seeds.add(7, File, [](auto& out) { words(out, {0, 100, 8, 2}); out.string("eight by"); });
  seeds.add(8, Folder, [](auto& out) { out.string("new"); out.u32(0); sattr(out); });
  seeds.add(8, Folder, [](auto& out) { out.string("new"); out.u32(1); sattr(out); });
  seeds.add(8, Folder, [](auto& out) { out.string("new"); words(out, {2, 11, 12}); });
  seeds.add(9, Folder, [](auto& out) { out.string("new"); sattr(out); });
  seeds.add(10, Folder, [](auto& out) { out.string("new"); sattr(out); out.string("target"); });
  seeds.add(11, Folder, [](auto& out) { out.string("new"); out.u32(3); sattr(out); words(out, {8, 1}); });
  seeds.add(11, Folder, [](auto& out) { out.string("new"); out.u32(7); sattr(out); });
  seeds.add(12, Root, [](auto& out) { out.string("file"); });
  seeds.add(13, Root, [](auto& out) { out.string("folder"); });
  seeds.add(14, Root, [&](auto& out) { out.string("file"); out.string(root); out.string("newer"); });
  seeds.add(15, File, [&](auto& out) { out.string(root); out.string("second"); });
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto server = std::make_unique<Server>();
  static int runs = 0;
  if (++runs % 500 == 0) server = std::make_unique<Server>();
  if (size < 2) return 0;
  answer(*server, std::string(reinterpret_cast<const char*>(data + 2), size - 2), data[0], data[1]);
  return 0;
}

std::vector<std::string> fuzzSeeds() {
  Seeds seeds;
  addReads(seeds);
  addChanges(seeds);
  for (uint32_t procedure = 0; procedure < 6; ++procedure) {
    rpc::XdrWriter out;
    out.string("/alpha/folder");
    seeds.all.push_back(seed(nfs::mountProgramNumber, procedure, Folder, out));
  }
  return std::move(seeds.all);
}
