// SPDX-License-Identifier: GPL-3.0-or-later
// The block store: every distinct 4 KiB block once, by physical block number, in compressed frames of four inside container files
// (container_format.h). Reading side; new blocks come in through BlockWriter (block_writer.h), one at a time.
//
// Threads: read() from any coroutine on any io_context. Disk reads wait in its ring, frames are decoded on the worker pool, never on the
// caller's thread. Container directories are kept in a small LRU.
// Failure: Lost (a container file is missing), Corrupt (truncated, checksum, zstd): only the reads that touch the damaged frame fail; the
// message names container and frame; callers add file and VM.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/metadata/recipe_table.h"
#include "engine/os/file.h"

namespace quarry::blockstore {

using metadata::ContainerNumber;
using metadata::PhysicalBlock;

// 16 bytes that identify a block: the start of its SHA-256 keyed with the store's secret (fingerprint.h).
using Fingerprint = std::array<std::byte, 16>;
using StoreKey = std::array<std::byte, 32>;

// `count` consecutive physical blocks into `into` (count * 4096 bytes).
struct BlockRead {
  PhysicalBlock first = 0;
  uint32_t count = 0;
  MutableBytes into;
};

class BlockStore {
 public:
  // `folder` is STORE/containers. All references must outlive this.
  static std::unique_ptr<BlockStore> open(os::FileSystem& fileSystem, std::string folder, metadata::RecipeTable& recipes,
                                          const StoreKey& key, asio::thread_pool& workers);
  virtual ~BlockStore() = default;

  virtual Task<Result<void>> read(std::vector<BlockRead> reads) = 0;
  virtual const StoreKey& key() const = 0;
};

}  // namespace quarry::blockstore
