// SPDX-License-Identifier: GPL-3.0-or-later
// blocks.db: recipes, hooks and containers, in one database because one transaction must change them together.
//
// Threads: reads from any thread (an LRU of decoded recipes; one small pool of read connections for fetch(), one for all others); changes run
// one after another on the TransactionQueue of blocks.db and are durable when the call returns. Destroy it when no fetch() is under way.
// Failure: nothing of a failed transaction stays.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/result.h"
#include "engine/metadata/inode_table.h"

namespace quarry::metadata {

// container number << 12 | index of the block in its container (1024 frames of 4 blocks). Never reused; 0 is no block.
using PhysicalBlock = uint64_t;
using ContainerNumber = uint64_t;  // from 1
inline constexpr uint64_t containerBlocks = 4096;
constexpr ContainerNumber containerOf(PhysicalBlock block) { return block / containerBlocks; }
constexpr uint32_t indexInContainer(PhysicalBlock block) { return static_cast<uint32_t>(block % containerBlocks); }

// Consecutive blocks of a segment that are consecutive physical blocks.
struct Extent {
  uint32_t firstBlock = 0;  // in the segment, 0…1023
  uint32_t blockCount = 0;
  PhysicalBlock firstPhysical = 0;
  bool operator==(const Extent&) const = default;
};

// Extents in order, not overlapping. A block in no extent is zero.
using Recipe = std::vector<Extent>;

// The physical block of a block of the segment; nullopt: zero.
std::optional<PhysicalBlock> physicalBlock(const Recipe& recipe, uint32_t block);

// Recipe as the compact bytes kept in the database (varints, checksum at the end), and back; Corrupt when it is damaged. Fuzzed.
std::vector<std::byte> encodeRecipe(const Recipe& recipe);
Result<Recipe> decodeRecipe(Bytes bytes);

struct Hook {
  std::array<std::byte, 16> fingerprint;
  PhysicalBlock block = 0;
};

struct ContainerRow {
  ContainerNumber number = 0;
  uint32_t frameCount = 0;
  uint32_t blockCount = 0;
  uint64_t fileBytes = 0;     // of the container file
  uint64_t rawBytes = 0;      // of its blocks
};

struct RecipeChange {
  FileId fileid = 0;
  uint32_t segment = 0;
  Recipe recipe;              // empty: the row is removed
  // Asked on the transaction's thread just before the row is written; false skips this recipe alone (file removed or truncated since).
  std::function<bool()> stillValid;
};

// One optimize step: new containers (already durable on disk), their hooks, the recipes that use them.
struct BlockTransaction {
  std::vector<ContainerRow> containers;
  std::vector<Hook> hooks;
  std::vector<RecipeChange> recipes;
};

struct RecipeStats {
  uint64_t referencedBlocks = 0;   // sum of extents' blocks
  uint64_t segmentCount = 0;
};

class RecipeTable {
 public:
  static Result<std::unique_ptr<RecipeTable>> open(const std::string& databasePath, TransactionQueue& queue);
  virtual ~RecipeTable() = default;

  // Null when the segment has no recipe. Corrupt: the row is damaged; the message names fileid and segment. May wait for the disk.
  virtual Result<std::shared_ptr<const Recipe>> load(FileId fileid, uint32_t segment) = 0;
  // The same for loop threads. cached() answers from RAM: nullopt when only the disk knows; fetch() then reads on threads of its own, which
  // no other reader of this table keeps busy, and resumes the caller on its executor.
  virtual std::optional<std::shared_ptr<const Recipe>> cached(FileId fileid, uint32_t segment) = 0;
  virtual Task<Result<std::shared_ptr<const Recipe>>> fetch(FileId fileid, uint32_t segment) = 0;
  virtual Result<std::vector<std::pair<uint32_t, Recipe>>> loadAll(FileId fileid) = 0;
  virtual RecipeStats stats(FileId fileid) const = 0;              // kept in RAM
  // False only if the file has no recipe and no commit() underway may give it one: then there is nothing to truncate.
  virtual bool mayHaveRecipes(FileId fileid) const = 0;
  virtual std::vector<FileId> files() const = 0;                   // that have recipes

  virtual Task<Result<std::vector<bool>>> commit(BlockTransaction transaction) = 0;  // per recipe: written (true) or skipped
  // Drops every block at or beyond `firstBlockGone` (4 KiB units from the file's start).
  virtual Task<Result<void>> truncate(FileId fileid, uint64_t firstBlockGone) = 0;
  virtual Task<Result<void>> dropFiles(std::vector<FileId> fileids) = 0;

  virtual Result<std::optional<PhysicalBlock>> findHook(const std::array<std::byte, 16>& fingerprint) = 0;
  virtual std::vector<ContainerRow> containers() const = 0;
  virtual ContainerNumber nextContainer() const = 0;  // higher than every number ever committed
};

}  // namespace quarry::metadata
