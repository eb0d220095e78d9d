// SPDX-License-Identifier: GPL-3.0-or-later
// The containers of a store, opened on demand. Keeps the 128 last used ones open and the directories of the 2048 last used ones in RAM
// (16 KiB each, 32 MiB in all), so that a random read in them costs one disk read.
//
// Threads: safe from any. Failure: as ContainerReader::open; nothing is remembered of a failure.
#pragma once

#include <memory>
#include <string>

#include "engine/base/async.h"
#include "engine/base/mutex.h"
#include "engine/base/result.h"
#include "engine/blockstore/container_reader.h"
#include "engine/blockstore/lru_cache.h"
#include "engine/os/file.h"

namespace quarry::blockstore {

class ContainerFiles {
 public:
  static constexpr size_t openMax = 128, directoriesMax = 2048;

  ContainerFiles(os::FileSystem& fileSystem, std::string folder) : m_fileSystem(fileSystem), m_folder(std::move(folder)) {}

  Task<Result<std::shared_ptr<ContainerReader>>> get(ContainerNumber number);

 private:
  std::shared_ptr<ContainerReader> findOpen(ContainerNumber number);
  std::shared_ptr<const ContainerDirectory> findDirectory(ContainerNumber number);

  os::FileSystem& m_fileSystem;
  const std::string m_folder;
  Mutex m_mutex;
  LruCache<ContainerNumber, std::shared_ptr<ContainerReader>> m_open GUARDED_BY(m_mutex){openMax};
  LruCache<ContainerNumber, std::shared_ptr<const ContainerDirectory>> m_directories GUARDED_BY(m_mutex){directoriesMax};
};

}  // namespace quarry::blockstore
