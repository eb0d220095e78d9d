// SPDX-License-Identifier: GPL-3.0-or-later
// recipe := version extent* checksum
//   version  : the byte 1
//   extent   : gap, count, distance as varints (7 bits a byte, low ones first). gap: blocks since the end of the previous extent (or
//              the segment's start); count: blocks; distance: first physical block minus the end of the previous extent's physical
//              blocks (or 0), zigzag-coded, so that neighbours in a container take one byte.
//   checksum : low 32 bits of XXH3 over all before, little-endian
#include <limits>

#include "engine/base/check.h"
#include "engine/base/checksum.h"
#include "engine/metadata/recipe_table.h"

namespace quarry::metadata {

namespace {

constexpr std::byte version{1};
constexpr size_t checksumBytes = 4;
constexpr int varintBytesMax = 10;
constexpr PhysicalBlock physicalBlockMax = std::numeric_limits<int64_t>::max();

void putVarint(std::vector<std::byte>& bytes, uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<std::byte>(value | 0x80));
  bytes.push_back(static_cast<std::byte>(value));
}

uint64_t zigzag(int64_t value) { return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63); }
int64_t unzigzag(uint64_t value) { return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1); }

uint32_t checksumOf(Bytes bytes) { return static_cast<uint32_t>(checksum(bytes)); }

std::optional<uint64_t> takeVarint(Bytes& bytes) {
  uint64_t value = 0;
  for (int i = 0; i < varintBytesMax && !bytes.empty(); ++i) {
    const auto byte = static_cast<uint64_t>(bytes[0]);
    bytes = bytes.subspan(1);
    if (i == varintBytesMax - 1 && byte > 1) return std::nullopt;
    value |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

// The next extent; nullopt when its numbers are impossible.
std::optional<Extent> takeExtent(Bytes& bytes, uint64_t segmentEnd, PhysicalBlock physicalEnd) {
  const auto gap = takeVarint(bytes);
  const auto count = takeVarint(bytes);
  const auto distance = takeVarint(bytes);
  if (!gap || !count || !distance || *gap > segmentBlocks || *count == 0 || *count > segmentBlocks) return std::nullopt;
  if (segmentEnd + *gap + *count > segmentBlocks) return std::nullopt;
  const uint64_t physical = physicalEnd + static_cast<uint64_t>(unzigzag(*distance));  // wraps for nonsense, which the next line finds
  if (physical == 0 || physical > physicalBlockMax - *count) return std::nullopt;
  return Extent{static_cast<uint32_t>(segmentEnd + *gap), static_cast<uint32_t>(*count), physical};
}

}  // namespace

std::optional<PhysicalBlock> physicalBlock(const Recipe& recipe, uint32_t block) {
  const auto after = std::upper_bound(recipe.begin(), recipe.end(), block, [](uint32_t wanted, const Extent& extent) { return wanted < extent.firstBlock; });
  if (after == recipe.begin()) return std::nullopt;
  const Extent& extent = *(after - 1);
  if (block - extent.firstBlock >= extent.blockCount) return std::nullopt;
  return extent.firstPhysical + (block - extent.firstBlock);
}

std::vector<std::byte> encodeRecipe(const Recipe& recipe) {
  std::vector<std::byte> bytes{version};
  uint64_t segmentEnd = 0;
  PhysicalBlock physicalEnd = 0;
  for (const Extent& extent : recipe) {
    QUARRY_CHECK(extent.blockCount > 0 && extent.firstBlock >= segmentEnd && extent.firstBlock + extent.blockCount <= segmentBlocks);
    QUARRY_CHECK(extent.firstPhysical > 0 && extent.firstPhysical <= physicalBlockMax - extent.blockCount);
    putVarint(bytes, extent.firstBlock - segmentEnd);
    putVarint(bytes, extent.blockCount);
    putVarint(bytes, zigzag(static_cast<int64_t>(extent.firstPhysical - physicalEnd)));
    segmentEnd = extent.firstBlock + extent.blockCount;
    physicalEnd = extent.firstPhysical + extent.blockCount;
  }
  const uint32_t sum = checksumOf(bytes);
  bytes.resize(bytes.size() + checksumBytes);
  storeLittle(bytes.data() + bytes.size() - checksumBytes, sum);
  return bytes;
}

Result<Recipe> decodeRecipe(Bytes bytes) {
  if (bytes.size() < 1 + checksumBytes) return fail(ErrorCode::Corrupt, "a recipe is cut short");
  const Bytes body = bytes.first(bytes.size() - checksumBytes);
  if (loadLittle<uint32_t>(bytes.data() + body.size()) != checksumOf(body)) return fail(ErrorCode::Corrupt, "a recipe's checksum is wrong");
  if (body[0] != version) return fail(ErrorCode::VersionTooNew, "a recipe has an unknown format");
  Recipe recipe;
  uint64_t segmentEnd = 0;
  PhysicalBlock physicalEnd = 0;
  for (Bytes rest = body.subspan(1); !rest.empty();) {
    const auto extent = takeExtent(rest, segmentEnd, physicalEnd);
    if (!extent) return fail(ErrorCode::Corrupt, "a recipe contradicts itself");
    recipe.push_back(*extent);
    segmentEnd = extent->firstBlock + extent->blockCount;
    physicalEnd = extent->firstPhysical + extent->blockCount;
  }
  return recipe;
}

}  // namespace quarry::metadata
