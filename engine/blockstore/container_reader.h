// SPDX-License-Identifier: GPL-3.0-or-later
// One open container file: its checked directory, reads of stored bytes and of the fingerprint list.
//
// Threads: safe from any coroutine; waits in the caller's ring. The directory never changes and is shared with the cache of directories.
// Failure: Lost when the file is missing, Corrupt when it is truncated or damaged; the message names the container.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/blockstore/block_store.h"
#include "engine/blockstore/container_parser.h"
#include "engine/os/file.h"

namespace quarry::blockstore {

class ContainerReader {
 public:
  // `known`: the directory when the caller still has it; null: it is read and checked.
  static Task<Result<std::shared_ptr<ContainerReader>>> open(os::FileSystem& fileSystem, const std::string& folder, ContainerNumber number,
                                                             std::shared_ptr<const ContainerDirectory> known);

  const std::shared_ptr<const ContainerDirectory>& directory() const { return m_directory; }

  // Whole 4 KiB units from `offset`; a shorter file is Corrupt.
  Task<Result<void>> readAligned(uint64_t offset, MutableBytes into);
  Task<Result<std::vector<Fingerprint>>> fingerprints();

 private:
  ContainerReader(ContainerNumber number, std::unique_ptr<os::File> file) : m_number(number), m_file(std::move(file)) {}
  Task<Result<std::shared_ptr<const ContainerDirectory>>> readDirectory();

  const ContainerNumber m_number;
  const std::unique_ptr<os::File> m_file;
  std::shared_ptr<const ContainerDirectory> m_directory;
};

}  // namespace quarry::blockstore
