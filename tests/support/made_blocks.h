// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks with made-up contents: the same seed gives the same block; half of it compresses, half does not.
#pragma once

#include <vector>

#include "engine/base/bytes.h"
#include "engine/blockstore/fingerprint.h"

namespace quarry::test {

inline void makeBlock(uint64_t seed, MutableBytes into) {
  uint64_t state = seed;
  for (size_t at = 0; at < into.size(); at += 8) {
    uint64_t mixed = state += 0x9e3779b97f4a7c15;  // splitmix64
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    storeLittle<uint64_t>(into.data() + at, at < into.size() / 2 ? mixed ^ (mixed >> 31) : seed);
  }
}

inline std::vector<std::byte> madeBlocks(const std::vector<uint64_t>& seeds) {
  std::vector<std::byte> bytes(seeds.size() * blockBytes);
  for (size_t i = 0; i < seeds.size(); ++i)
    if (seeds[i] != 0) makeBlock(seeds[i], MutableBytes(bytes).subspan(i * blockBytes, blockBytes));  // 0: a zero block
  return bytes;
}

inline blockstore::StoreKey madeKey(uint8_t first = 1) {
  blockstore::StoreKey key{};
  for (size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::byte>(first + i * 3);
  return key;
}

}  // namespace quarry::test
