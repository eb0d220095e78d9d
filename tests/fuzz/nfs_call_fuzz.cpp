// SPDX-License-Identifier: GPL-3.0-or-later
// A whole RPC call into the dispatcher over a FakeVstorage. Bytes 0 and 1 say where real handles are put into the call, so that mutated calls
// still reach files and folders. Every call gets a well-formed reply of bounded size, or ends the connection.
#include <memory>
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

std::string seed(uint32_t program, uint32_t procedure, const rpc::XdrWriter& arguments) {
  const auto call = test::encodeCall(1, {program, 3, procedure}, {}, arguments.bytes());
  return std::string("\x02\x01", 2) + std::string(asText(call));
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto server = std::make_unique<Server>();
  static int runs = 0;
  if (++runs % 500 == 0) server = std::make_unique<Server>();
  if (size < 2) return 0;
  std::string call(reinterpret_cast<const char*>(data + 2), size - 2);
  const std::string handle = server->handle(data[0]);
  if (data[1] % 4 != 0 && call.size() >= headerBytes + 4 + handle.size()) call.replace(headerBytes + 4, handle.size(), handle);
  const auto reply = test::runTask(server->context, server->dispatcher.handle(server->peer, net::Record::copyOf(asBytes(call))));
  if (!reply) return 0;
  test::ByteVector bytes(reply->head.begin() + net::recordMarkBytes, reply->head.end());
  QUARRY_CHECK(bytes.size() % 4 == 0 && bytes.size() + reply->body.size() <= net::recordBytesMax);
  const auto decoded = test::decodeReply(bytes);
  QUARRY_CHECK(decoded && decoded->xid == rpc::XdrReader(asBytes(call)).u32());
  return 0;
}

std::vector<std::string> fuzzSeeds() {
  const std::string handle(nfs::handleBytes, 'h');
  std::vector<std::string> seeds;
  for (uint32_t procedure = 0; procedure < 22; ++procedure) {
    rpc::XdrWriter out;
    out.string(handle);
    const bool named = procedure == 3 || (procedure >= 8 && procedure <= 15);
    if (procedure == 15) out.string(handle);
    if (named) out.string(procedure == 12 || procedure == 3 ? "file" : "new");
    if (procedure == 8) out.u32(1);
    if (procedure == 11) out.u32(3);
    if (procedure == 14) {
      out.string(handle);
      out.string("newer");
    }
    if (procedure == 7) {
      for (uint32_t word : {0u, 100u, 8u, 2u}) out.u32(word);
      out.string("eight by");
    }
    for (uint32_t word : {1u, 0644u, 0u, 0u, 0u, 0u, 0u, 4096u}) out.u32(word);
    if (procedure == 10) out.string("target");
    seeds.push_back(seed(nfs::nfsProgramNumber, procedure, out));
  }
  for (uint32_t procedure = 0; procedure < 6; ++procedure) {
    rpc::XdrWriter out;
    out.string("/alpha/folder");
    seeds.push_back(seed(nfs::mountProgramNumber, procedure, out));
  }
  return seeds;
}
