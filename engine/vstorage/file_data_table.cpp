// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/file_data_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "engine/base/log.h"
#include "engine/base/spawn.h"
#include "engine/blockstore/parallel.h"

namespace quarry {

namespace {
constexpr unsigned landingFolderCount = 256;
constexpr size_t dropBatchMax = 1024;  // files in one transaction
constexpr uint64_t readsAheadMax = 8;
constexpr size_t closersMax = 16;      // files synced at once, to be closed

Log vstorageLog() { return log("vstorage"); }
}  // namespace

FileDataTable::FileDataTable(Parts parts)
    : m_parts(std::move(parts)),
      m_folder{m_parts.fileSystem, m_parts.landingFolder, m_parts.workers},
      m_shared{m_folder, m_parts.recipes, m_parts.blocks, m_parts.caches, m_parts.clock, m_parts.onSyncFailed,
               [&inodes = m_parts.inodes](metadata::FileId fileid) -> std::optional<StoredFile::Shared::Facts> {
                 const auto inode = inodes.get(fileid);
                 if (!inode) return std::nullopt;
                 return StoredFile::Shared::Facts{inode->size, inode->modified};
               },
               [&inodes = m_parts.inodes](metadata::FileId fileid) { return inodes.persistSize(fileid); }},
      m_background(std::make_shared<WorkCount>()) {}

std::shared_ptr<StoredFile> FileDataTable::get(metadata::FileId fileid) {
  closeIdleIfTooMany();
  const Lock lock(m_mutex);
  std::shared_ptr<StoredFile>& file = m_files[fileid];
  if (!file) file = std::make_shared<StoredFile>(m_shared, fileid, accountOf(fileid));
  return file;
}

// A file stays in its vstorage for ever.
std::shared_ptr<cache::CacheAccount> FileDataTable::accountOf(metadata::FileId fileid) const {
  const auto inode = m_parts.inodes.get(fileid);
  return m_parts.caches.write().account(inode ? inode->vstorage : 0);
}

std::shared_ptr<StoredFile> FileDataTable::find(metadata::FileId fileid) const {
  const Lock lock(m_mutex);
  const auto found = m_files.find(fileid);
  return found == m_files.end() ? nullptr : found->second;
}

void FileDataTable::start(std::function<Task<void>()> work) {
  m_background->begin();
  spawn(m_parts.loop, countedWork(m_background, work()));
}

Task<void> FileDataTable::countedWork(std::shared_ptr<WorkCount> background, Task<void> work) {
  co_await std::move(work);
  background->end();
}

Task<void> FileDataTable::drain() {
  const auto background = m_background;
  co_await background->idle();
}

void FileDataTable::startReadAhead(std::shared_ptr<StoredFile> file, cache::BlockRange blocks) {
  if (m_readsAhead.fetch_add(1) >= readsAheadMax) {
    m_readsAhead.fetch_sub(1);
    return;
  }
  static constexpr auto run = [](FileDataTable* self, std::shared_ptr<StoredFile> of, cache::BlockRange range) -> Task<void> {
    co_await StoredFile::readAhead(of, range);
    self->m_readsAhead.fetch_sub(1);
  };
  start([this, file = std::move(file), blocks] { return run(this, file, blocks); });
}

void FileDataTable::drop(std::vector<metadata::FileId> fileids) {
  if (fileids.empty()) return;
  for (const metadata::FileId fileid : fileids) {
    const auto file = find(fileid);
    if (file) file->landing().markRemoved();
  }
  start([this, fileids = std::move(fileids)] { return dropAll(fileids); });
}

Task<void> FileDataTable::dropAll(std::vector<metadata::FileId> fileids) {
  for (const metadata::FileId fileid : fileids) co_await dropOne(get(fileid));
  for (size_t first = 0; first < fileids.size(); first += dropBatchMax) {
    const auto begin = fileids.begin() + static_cast<ptrdiff_t>(first);
    std::vector<metadata::FileId> batch(begin, begin + static_cast<ptrdiff_t>(std::min(dropBatchMax, fileids.size() - first)));
    const auto dropped = co_await m_parts.recipes.dropFiles(std::move(batch));
    if (!dropped) vstorageLog().warn("recipes of removed files stay until the next start: {}", dropped.error().message);
  }
  const Lock lock(m_mutex);
  for (const metadata::FileId fileid : fileids) m_files.erase(fileid);
}

// Writers that came before the removal finish first; later ones find the file removed.
Task<void> FileDataTable::dropOne(std::shared_ptr<StoredFile> file) {
  const auto guard = co_await file->lock(0, os::RangeLock::toEnd);
  file->dirty().drop({0, cache::DirtyBlocks::toEnd});
  const auto remove = [file] { return file->landing().removeBlocking(); };
  const auto removed = co_await onPool(m_parts.workers, remove);
  if (!removed) vstorageLog().warn("a removed file's landing file stays until the next start: {}", removed.error().message);
}

Task<size_t> FileDataTable::recover() {
  size_t left = 0;
  for (const metadata::FileId fileid : m_parts.inodes.pendingTruncates()) {
    const auto inode = m_parts.inodes.get(fileid);
    if (!inode) continue;
    const std::string path = m_parts.inodes.path(fileid);
    vstorageLog().info("{}: finishing a shortening to {} bytes", path, *inode->pendingTruncate);
    const auto finished = co_await finishShortening(*inode);
    if (finished) continue;
    ++left;
    vstorageLog().error("{}: the shortening stays unfinished: {}", path, finished.error().message);
    if (m_parts.onDamage) m_parts.onDamage({finished.error().code, path + ": " + finished.error().message});
  }
  co_return left;
}

Task<Result<void>> FileDataTable::finishShortening(const metadata::Inode& inode) {
  const auto file = get(inode.fileid);
  const auto shortened = co_await file->shorten(*inode.pendingTruncate);
  if (!shortened) co_return shortened;
  co_return co_await m_parts.inodes.endTruncate(inode.fileid);
}

void FileDataTable::startOrphanSweep() {
  start([this] { return sweep(); });
}

Result<std::vector<metadata::FileId>> FileDataTable::listBlocking(unsigned low) const {
  std::vector<metadata::FileId> fileids;
  const auto listed = m_parts.fileSystem.list(fmt::format("{}/{:02x}", m_parts.landingFolder, low));
  if (!listed) return fileids;  // made with the first file in it
  for (const os::FileInfo& info : *listed) {
    char* end = nullptr;
    const metadata::FileId fileid = std::strtoull(info.name.c_str(), &end, 16);
    if (info.name.size() == 16 && *end == 0 && (fileid & 0xff) == low) fileids.push_back(fileid);
  }
  return fileids;
}

// Inodes are made before their landing files, and fileids never come back: what this namespace gave out and does not know is gone for ever.
bool FileDataTable::isOrphan(metadata::FileId fileid) const {
  return fileid >= m_parts.inodes.keptBelow() && fileid < m_parts.inodes.nextFileId() && !m_parts.inodes.get(fileid);
}

Task<Result<void>> FileDataTable::keepUnknownData() {
  const metadata::FileId next = m_parts.inodes.nextFileId();
  metadata::FileId last = 0;
  uint64_t unknownCount = 0;
  const auto note = [&](metadata::FileId fileid) {
    if (fileid >= next) ++unknownCount;
    last = std::max(last, fileid);
  };
  const auto listAll = [this, &note] {
    for (unsigned low = 0; low < landingFolderCount; ++low) {
      const auto fileids = listBlocking(low);
      if (fileids) std::for_each(fileids->begin(), fileids->end(), note);
    }
    return true;
  };
  co_await onPool(m_parts.workers, listAll);
  const auto withRecipes = m_parts.recipes.files();
  std::for_each(withRecipes.begin(), withRecipes.end(), note);
  if (unknownCount == 0) co_return Result<void>();
  const std::string found = fmt::format("namespace.db is older than the data: {} files have data but no name. Nothing of them is deleted; "
                                        "bring back the newest namespace.db to see them again", unknownCount);
  vstorageLog().error("{}", found);
  if (m_parts.onDamage) m_parts.onDamage({ErrorCode::Lost, found});
  co_return co_await m_parts.inodes.keepBelow(last + 1);
}

Task<void> FileDataTable::sweep() {
  // An empty namespace beside a full landing folder is more likely a lost database than a thousand orphans.
  if (m_parts.inodes.vstorages().empty()) co_return;
  for (unsigned low = 0; low < landingFolderCount; ++low) {
    const auto fileids = co_await onPool(m_parts.workers, [this, low] { return listBlocking(low); });
    if (!fileids) continue;
    const bool goOn = co_await dropOrphans(*fileids);
    if (!goOn) co_return;
  }
  co_await dropOrphans(m_parts.recipes.files());
}

// An inode vanishes from RAM before its removal is durable, and comes back should that fail: looked at again when it is sure. False: it is not.
Task<bool> FileDataTable::dropOrphans(std::vector<metadata::FileId> candidates) {
  const auto isNone = [this](metadata::FileId fileid) { return !isOrphan(fileid); };
  std::erase_if(candidates, isNone);
  if (candidates.empty()) co_return true;
  const auto settled = co_await m_parts.inodes.settle();
  if (!settled) {
    vstorageLog().warn("data of removed files stays until the next start: {}", settled.error().message);
    co_return false;
  }
  std::erase_if(candidates, isNone);
  const size_t orphanCount = candidates.size();
  co_await dropAll(std::move(candidates));
  if (orphanCount > 0) vstorageLog().info("data of {} removed files deleted", orphanCount);
  co_return true;
}

void FileDataTable::closeIdleIfTooMany() {
  if (m_folder.openCount.load(std::memory_order_relaxed) <= m_parts.openFilesMax || m_closing.exchange(true)) return;
  start([this] { return closeIdle(); });
}

struct FileDataTable::Closing {
  std::vector<std::shared_ptr<StoredFile>> files;
  std::atomic<size_t> next = 0;
};

// Down to seven eighths, so that not every opening closes one.
Task<void> FileDataTable::closeIdle() {
  const auto closing = std::make_shared<Closing>();
  std::vector<std::shared_ptr<StoredFile>>& open = closing->files;
  {
    const Lock lock(m_mutex);
    for (const auto& [fileid, file] : m_files)
      if (file->landing().isOpen()) open.push_back(file);
  }
  std::sort(open.begin(), open.end(), [](const auto& a, const auto& b) { return a->landing().lastUse() < b->landing().lastUse(); });
  const uint64_t keep = m_parts.openFilesMax - m_parts.openFilesMax / 8;
  open.resize(open.size() - std::min(open.size(), keep));
  std::vector<blockstore::Spawned<bool>> closers;
  for (size_t i = 0; i < std::min(open.size(), closersMax); ++i) closers.emplace_back(m_parts.loop, closeInTurn(closing));
  for (auto& closer : closers) co_await closer.get();
  m_closing = false;
}

// An error of the disk must reach a sync of ours, so a file with unsynced writes is synced before it is closed.
Task<bool> FileDataTable::closeInTurn(std::shared_ptr<Closing> closing) {
  for (size_t i = closing->next++; i < closing->files.size(); i = closing->next++) {
    const auto synced = co_await closing->files[i]->sync();
    if (synced) closing->files[i]->landing().closeIfClean();
  }
  co_return true;
}

}  // namespace quarry
