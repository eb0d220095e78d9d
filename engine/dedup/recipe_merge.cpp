// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dedup/recipe_merge.h"

#include <array>

#include "engine/blockstore/block_writer.h"

namespace quarry::dedup {
namespace {

using Blocks = std::array<metadata::PhysicalBlock, segmentBlocks>;  // 0: zero

void fill(Blocks& blocks, const metadata::Recipe& recipe) {
  for (const metadata::Extent& extent : recipe)
    for (uint32_t i = 0; i < extent.blockCount; ++i) blocks.at(extent.firstBlock + i) = extent.firstPhysical + i;
}

}  // namespace

metadata::Recipe mergeRecipe(const metadata::Recipe& existing, const LandedBlocks& landed, const metadata::Recipe& placed) {
  Blocks blocks{};
  fill(blocks, existing);
  for (size_t block = 0; block < segmentBlocks; ++block)
    if (landed[block]) blocks[block] = 0;
  fill(blocks, placed);
  metadata::Recipe merged;
  for (uint32_t block = 0; block < segmentBlocks; ++block)
    if (blocks[block] != 0) blockstore::appendExtent(merged, {.firstBlock = block, .blockCount = 1, .firstPhysical = blocks[block]});
  return merged;
}

}  // namespace quarry::dedup
