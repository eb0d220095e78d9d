// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/blockstore/container_files.h"

namespace quarry::blockstore {

std::shared_ptr<ContainerReader> ContainerFiles::findOpen(ContainerNumber number) {
  Lock lock(m_mutex);
  const auto* found = m_open.find(number);
  return found ? *found : nullptr;
}

std::shared_ptr<const ContainerDirectory> ContainerFiles::findDirectory(ContainerNumber number) {
  Lock lock(m_mutex);
  const auto* found = m_directories.find(number);
  return found ? *found : nullptr;
}

Task<Result<std::shared_ptr<ContainerReader>>> ContainerFiles::get(ContainerNumber number) {
  if (auto open = findOpen(number)) co_return open;
  auto known = findDirectory(number);
  auto opened = co_await ContainerReader::open(m_fileSystem, m_folder, number, std::move(known));
  if (!opened) co_return fail(opened.error());
  Lock lock(m_mutex);
  m_open.put(number, *opened);
  m_directories.put(number, (*opened)->directory());
  co_return *opened;
}

}  // namespace quarry::blockstore
