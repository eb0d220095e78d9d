// SPDX-License-Identifier: GPL-3.0-or-later
// Recipes from damaged database rows: decoding never crashes, and what it accepts encodes to an equal recipe. The checksum is made
// right again after each mutation, so that the fields behind it are reached.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/checksum.h"
#include "engine/metadata/recipe_table.h"

using namespace quarry;
using namespace quarry::metadata;

namespace {

void check(Bytes bytes) {
  const auto recipe = decodeRecipe(bytes);
  if (!recipe) return;
  QUARRY_CHECK(recipe->size() <= segmentBlocks);
  const auto again = decodeRecipe(encodeRecipe(*recipe));
  QUARRY_CHECK(again && *again == *recipe);
  for (uint32_t block = 0; block < segmentBlocks; block += 37) (void)physicalBlock(*recipe, block);
}

}  // namespace

std::vector<std::string> fuzzSeeds() {
  std::vector<std::string> seeds;
  for (const Recipe& recipe : {Recipe{}, Recipe{{0, 1024, 4096}}, Recipe{{1, 2, 3}, {5, 6, 700'000'000'000}, {100, 900, 12}}}) {
    const std::vector<std::byte> bytes = encodeRecipe(recipe);
    seeds.emplace_back(asText(bytes));
  }
  return seeds;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes bytes = std::as_bytes(std::span(data, size));
  check(bytes);
  if (size < 5) return 0;
  std::vector<std::byte> fixed(bytes.begin(), bytes.end());
  storeLittle(fixed.data() + size - 4, static_cast<uint32_t>(checksum(bytes.first(size - 4))));
  check(fixed);
  return 0;
}
