// SPDX-License-Identifier: GPL-3.0-or-later
// The block store on a simulated disk: segments go in through a BlockWriter, and come back by the extents it answered with.
#pragma once

#include <QTest>
#include <memory>
#include <string>
#include <vector>

#include "engine/blockstore/block_writer.h"
#include "engine/blockstore/fingerprint.h"
#include "tests/support/fake_recipe_table.h"
#include "tests/support/made_blocks.h"
#include "tests/support/run_task.h"
#include "tests/support/sim_file_system.h"

namespace quarry::test {

struct BlockSite {
  SimFileSystem fileSystem;
  FakeRecipeTable recipes;
  asio::thread_pool workers{2};
  asio::io_context context;
  blockstore::StoreKey key = madeKey();

  blockstore::Placement add(blockstore::BlockWriter& writer, const std::vector<std::byte>& data) {
    blockstore::SegmentBlocks blocks{.data = data, .fingerprints = {}, .present = {}};
    std::vector<blockstore::Fingerprint> fingerprints(segmentBlocks);
    for (size_t i = 0; i < segmentBlocks; ++i) {
      const Bytes block = Bytes(data).subspan(i * blockBytes, blockBytes);
      blocks.present[i] = !isZero(block);
      fingerprints[i] = blockstore::Fingerprinter(key)(block);
    }
    blocks.fingerprints = fingerprints;
    return runTask(context, writer.add(blocks)).value();
  }
  std::unique_ptr<blockstore::BlockWriter> open() { return blockstore::BlockWriter::open(fileSystem, "c", recipes, workers).value(); }
  void sealAndCommit(blockstore::BlockWriter& writer) {
    QVERIFY(runTask(context, writer.sealAll()).has_value());
    metadata::BlockTransaction transaction;
    for (auto& sealed : writer.takeSealed()) {
      transaction.containers.push_back(sealed.row);
      transaction.hooks.insert(transaction.hooks.end(), sealed.hooks.begin(), sealed.hooks.end());
    }
    QVERIFY(runTask(context, recipes.commit(std::move(transaction))).has_value());
  }
  Result<std::vector<std::byte>> read(const metadata::Recipe& recipe) {
    auto store = blockstore::BlockStore::open(fileSystem, "c", recipes, key, workers);
    std::vector<std::byte> data(segmentBytes);
    std::vector<blockstore::BlockRead> reads;
    for (const auto& extent : recipe)
      reads.push_back({extent.firstPhysical, extent.blockCount,
                       MutableBytes(data).subspan(extent.firstBlock * blockBytes, extent.blockCount * blockBytes)});
    if (auto done = runTask(context, store->read(std::move(reads))); !done) return fail(done.error());
    return data;
  }
};

// A segment of blocks with the seeds first, first + 1, …; every `zeroEvery`-th block is zero.
inline std::vector<std::byte> madeSegment(uint64_t firstSeed, size_t zeroEvery = 0) {
  std::vector<uint64_t> seeds(segmentBlocks);
  for (size_t i = 0; i < seeds.size(); ++i) seeds[i] = zeroEvery && i % zeroEvery == 0 ? 0 : firstSeed + i;
  return madeBlocks(seeds);
}

}  // namespace quarry::test
