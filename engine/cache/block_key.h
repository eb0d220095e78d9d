// SPDX-License-Identifier: GPL-3.0-or-later
// What names a clean block: the block in a file, by the number that the file drew for its present content, or with owner 0 a physical block
// number of the block store. Safe from any thread.
#pragma once

#include <compare>
#include <cstdint>

namespace quarry::cache {

struct BlockKey {
  uint64_t owner = 0;
  uint64_t block = 0;
  auto operator<=>(const BlockKey&) const = default;
};

// All 64 bits are mixed (the finalizer of splitmix64, twice).
inline uint64_t hashOf(const BlockKey& key) {
  const auto mix = [](uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
  };
  return mix(mix(key.owner + 0x9e3779b97f4a7c15) + key.block);
}

}  // namespace quarry::cache
