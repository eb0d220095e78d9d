// SPDX-License-Identifier: GPL-3.0-or-later
// The first bytes are a program of reads, the rest what is read; also the whole as an RPC call. Nothing may be read outside, values read back
// equal what a writer made, and a failed reader gives nothing more.
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "engine/rpc/rpc_message.h"
#include "engine/rpc/xdr.h"

using namespace quarry;

namespace {
void readOne(rpc::XdrReader& in, uint8_t choice) {
  const Bytes before = in.rest();
  rpc::XdrWriter again;
  switch (choice % 5) {
    case 0: again.u32(in.u32()); break;
    case 1: again.u64(in.u64()); break;
    case 2: again.boolean(in.boolean()); break;
    case 3: again.opaque(in.opaque(choice)); break;
    default: again.fixedOpaque(in.fixedOpaque(choice)); break;
  }
  if (!in.ok()) {
    QUARRY_CHECK(in.rest().empty() && in.u32() == 0 && in.opaque(100).empty());
    return;
  }
  QUARRY_CHECK(before.size() - in.rest().size() == again.size());
  if (choice % 5 < 3) QUARRY_CHECK(asText(before.first(again.size())) == asText(again.bytes()));  // the others have padding
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes input = std::as_bytes(std::span(data, size));
  const auto call = rpc::decodeCall(input);
  if (call) {
    QUARRY_CHECK(call->argumentsAt <= size);
    QUARRY_CHECK(call->credential.groups.size() <= rpc::groupsMax);
  }
  if (size < 8) return 0;
  rpc::XdrReader in(input.subspan(8));
  for (size_t i = 0; i < 8; ++i) readOne(in, data[i]);
  return 0;
}

std::vector<std::string> fuzzSeeds() {
  rpc::XdrWriter call;
  for (uint32_t word : {1u, 0u, 2u, 100003u, 3u, 1u, 1u, 32u, 0u, 4u}) call.u32(word);
  call.fixedOpaque(asBytes("host"));
  for (uint32_t word : {0u, 0u, 1u, 5u, 0u, 0u, 9u}) call.u32(word);
  rpc::XdrWriter values;
  values.fixedOpaque(asBytes(std::string_view("\x00\x01\x02\x17\x04\x05\x06\x08", 8)));
  values.u32(5);
  values.u64(6);
  values.boolean(true);
  values.string("opaque");
  values.fixedOpaque(asBytes("four"));
  for (int i = 0; i < 8; ++i) values.u32(1);
  return {std::string(asText(call.bytes())), std::string(asText(values.bytes()))};
}
