// SPDX-License-Identifier: GPL-3.0-or-later
// The first byte chooses how the rest is cut into receives. Whatever comes: no byte is lost or invented, and limits hold.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "engine/net/record_marking.h"

using namespace quarry;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const size_t step = size_t{1} << (data[0] % 17);
  net::RecordAssembler assembler;
  size_t outBytes = 0;
  for (size_t at = 1; at < size;) {
    const MutableBytes space = assembler.space();
    QUARRY_CHECK(!space.empty());
    const size_t count = std::min({space.size(), step, size - at});
    std::memcpy(space.data(), data + at, count);
    at += count;
    if (!assembler.received(count)) return 0;
    while (const auto record = assembler.next()) {
      QUARRY_CHECK(record->bytes().size() <= net::recordBytesMax);
      outBytes += record->bytes().size();
    }
    QUARRY_CHECK(outBytes < at);
  }
  return 0;
}

std::vector<std::string> fuzzSeeds() {
  using namespace std::string_literals;
  return {"\x00\x80\x00\x00\x04" "four"s, "\x03\x00\x00\x00\x02" "ab" "\x00\x00\x00\x00\x80\x00\x00\x03xyz\x80\x00\x00\x00"s,
          "\x0c\x80\x01\x00\x00"s + std::string(65536, 'r') + "\x80\x00\x00\x01z"s};
}
