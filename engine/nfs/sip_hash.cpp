// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/sip_hash.h"

#include <bit>
#include <cstdint>

namespace quarry::nfs {

namespace {
struct State {
  uint64_t v0, v1, v2, v3;

  void round() {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }
  void absorb(uint64_t word) {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
  uint64_t squeeze() {
    for (int i = 0; i < 4; ++i) round();
    return v0 ^ v1 ^ v2 ^ v3;
  }
};

// The bytes after the last whole word, and the length's low byte on top.
uint64_t lastWord(Bytes bytes) {
  uint64_t word = static_cast<uint64_t>(bytes.size() & 0xff) << 56;
  const Bytes tail = bytes.subspan(bytes.size() / 8 * 8);
  for (size_t i = 0; i < tail.size(); ++i) word |= std::to_integer<uint64_t>(tail[i]) << (8 * i);
  return word;
}
}  // namespace

SipTag sipHash128(const SipKey& key, Bytes bytes) {
  const uint64_t k0 = loadLittle<uint64_t>(key.data()), k1 = loadLittle<uint64_t>(key.data() + 8);
  State state{0x736f6d6570736575 ^ k0, 0x646f72616e646f6d ^ k1 ^ 0xee, 0x6c7967656e657261 ^ k0, 0x7465646279746573 ^ k1};
  for (size_t at = 0; at + 8 <= bytes.size(); at += 8) state.absorb(loadLittle<uint64_t>(bytes.data() + at));
  state.absorb(lastWord(bytes));
  SipTag tag;
  state.v2 ^= 0xee;
  storeLittle(tag.data(), state.squeeze());
  state.v1 ^= 0xdd;
  storeLittle(tag.data() + 8, state.squeeze());
  return tag;
}

}  // namespace quarry::nfs
