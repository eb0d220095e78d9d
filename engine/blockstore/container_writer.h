// SPDX-License-Identifier: GPL-3.0-or-later
// A container in the making: blocks are gathered in RAM (16 MiB), then compressed on the worker pool and written whole, in the order
// of container_format.h. seal() returning means durable: from then on a transaction may name it.
//
// Threads: append() from one thread at a time; nothing is appended once seal() began. Memory: one buffer of 16 MiB, in which the frames
// are compressed in place; it can be used again for the next container, which spares the kernel the work of clearing new pages.
// Failure of seal(): NoSpace or IoError; the file is removed again as far as possible and the number is not used again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/blockstore/block_store.h"
#include "engine/blockstore/container_format.h"
#include "engine/os/file.h"

namespace quarry::blockstore {

class ContainerWriter {
 public:
  // `buffer`: of an earlier container, or empty.
  explicit ContainerWriter(ContainerNumber number, AlignedBuffer buffer = {});

  ContainerNumber number() const { return m_number; }
  bool isEmpty() const { return m_fingerprints.empty(); }
  bool isFull() const { return m_fingerprints.size() == containerBlocksMax; }
  uint32_t room() const { return containerBlocksMax - static_cast<uint32_t>(m_fingerprints.size()); }
  const std::vector<Fingerprint>& fingerprints() const { return m_fingerprints; }

  // REQUIRES: not full. A frame takes the level of its first block.
  PhysicalBlock append(const Fingerprint& fingerprint, Bytes block, int level);

  // REQUIRES: not empty. The blocks are gone from RAM afterwards, the fingerprints stay.
  Task<Result<metadata::ContainerRow>> seal(os::FileSystem& fileSystem, std::string folder, asio::thread_pool& workers);
  // REQUIRES: seal() has returned.
  AlignedBuffer takeBuffer() { return std::move(m_file); }

 private:
  uint32_t frameCount() const { return (static_cast<uint32_t>(m_fingerprints.size()) + frameBlocksMax - 1) / frameBlocksMax; }
  void compressPiece(size_t piece);
  uint64_t assemble();
  void writeHead(uint64_t fingerprintOffset, uint64_t fileBytes);
  Task<Result<void>> store(os::FileSystem& fileSystem, const std::string& folder, uint64_t fileBytes);

  const ContainerNumber m_number;
  AlignedBuffer m_file;                   // room for the longest head, then the raw blocks in order; after compression: the file
  std::vector<Fingerprint> m_fingerprints;
  std::vector<int> m_levels;              // per frame
  std::vector<FrameEntry> m_entries;
};

}  // namespace quarry::blockstore
