// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store_folder.h"

#include <utility>

namespace quarry {

Result<StoreFolder> StoreFolder::open(os::FileSystem& fileSystem, const std::string& path, const Probe& probe) {
  const auto config = readStoreConfig(fileSystem, path);
  if (!config && config.error().code != ErrorCode::NotFound) return fail(config.error());
  if (!config) {
    const os::StoreProbe probed = probe(path);
    if (!probed.isUsable()) return fail(ErrorCode::NotSupported, path + " cannot hold a store: " + probed.failures());
  }
  if (auto made = fileSystem.makeDirectories(path); !made) return fail(made.error());
  auto lock = os::StoreLock::acquire(path);
  if (!lock) return fail(lock.error());
  StoreFolder folder(fileSystem, path, std::move(*lock));
  if (auto read = folder.readConfig(); !read) return fail(read.error());
  for (const char* name : {"/landing", "/containers"})
    if (auto made = fileSystem.makeDirectories(path + name); !made) return fail(made.error());
  return folder;
}

// Under the lock only: another engine may have made the store while this one looked at the disk.
Result<void> StoreFolder::readConfig() {
  auto config = readStoreConfig(*m_fileSystem, m_path);
  if (!config && config.error().code != ErrorCode::NotFound) return fail(config.error());
  m_isNew = !config;
  if (m_isNew) return beginCreation();
  m_config = *config;
  return removeIfThere(os::creatingName);
}

Result<void> StoreFolder::beginCreation() {
  const std::string path = m_path + "/" + os::creatingName;
  if (m_fileSystem->readFile(path)) return removeLeftovers();
  return m_fileSystem->replaceFile(path, "A store is being made here. Without quarry.json beside it, nothing here is data.\n");
}

// A write-ahead log goes before its database: alone, it would be taken for the new one's.
Result<void> StoreFolder::removeLeftovers() {
  for (const char* database : {"namespace.db", "blocks.db", "history.db"})
    for (const char* part : {"-wal", "-shm", ""})
      if (auto removed = removeIfThere(std::string(database) + part); !removed) return removed;
  return {};
}

Result<void> StoreFolder::removeIfThere(const std::string& name) {
  auto removed = m_fileSystem->remove(m_path + "/" + name);
  if (!removed && removed.error().code != ErrorCode::NotFound) return removed;
  return {};
}

Result<void> StoreFolder::finishCreation(const Clock& clock) {
  auto config = createStoreConfig(*m_fileSystem, m_path, clock);
  if (!config) return fail(config.error());
  m_config = *config;
  return removeIfThere(os::creatingName);
}

}  // namespace quarry
