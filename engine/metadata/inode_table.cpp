// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/inode_table.h"

#include <algorithm>
#include <utility>

#include "engine/metadata/inode_store.h"
#include "engine/metadata/stored_inode_table.h"

namespace quarry::metadata {

Result<std::unique_ptr<InodeTable>> InodeTable::load(TransactionQueue& queue, const Clock& clock) {
  auto table = std::make_unique<StoredInodeTable>(queue, clock);
  if (auto started = table->start(); !started) return fail(started.error());
  return table;
}

StoredInodeTable::StoredInodeTable(TransactionQueue& queue, const Clock& clock) : m_queue(queue), m_clock(clock), m_random(std::random_device{}()) {
  m_queue.setOnFailed([this](const Error&, Database& database) { return reload(database); });
}

StoredInodeTable::~StoredInodeTable() {
  {
    const Lock lock(m_mutex);
    m_ending = true;
    m_wakeSaver.notifyAll();
  }
  if (m_saver.joinable()) m_saver.join();
  (void)m_queue.submitAndWait([](Database&) { return Result<void>(); });  // the queue's thread is through with us
  m_queue.setOnFailed({});
}

Result<void> StoredInodeTable::start() {
  auto loaded = m_queue.submitAndWait([this](Database& database) -> Result<void> {
    auto index = inode_store::load(database);
    if (!index) return fail(index.error());
    const Lock lock(m_mutex);
    m_index = std::move(*index);
    m_durableFloor = m_index.changedFloor;
    return {};
  });
  if (!loaded) return loaded;
  m_saver = std::thread([this] { savingLoop(); });
  return {};
}

Result<void> StoredInodeTable::reload(Database& database) {
  auto loaded = inode_store::load(database);
  if (!loaded) return fail(loaded.error().code, "the namespace cannot be read again after a failed transaction: " + loaded.error().message);
  const Lock lock(m_mutex);
  m_dirty.clear();
  for (auto& [fileid, record] : loaded->all()) {
    const auto removed = m_removed.find(fileid);
    const InodeRecord* old = removed == m_removed.end() ? m_index.find(fileid) : &removed->second;
    if (!old) continue;
    InodeRecord::Touched touched = old->touched;
    touched.merge(old->saving);
    record.inode.truncateCounter = old->inode.truncateCounter;
    record.inode.size = std::max(record.inode.size, touched.size);
    record.inode.modified = std::max(record.inode.modified, touched.modified);
    record.inode.accessed = std::max(record.inode.accessed, old->inode.accessed);
    record.inode.changed = std::max(record.inode.changed, old->inode.changed);
    record.touched = touched;
    record.touchCount = old->touchCount + 1;
    if (record.inode.changed != old->inode.changed || touched.size != 0 || old->isDirty) markDirty(record);
  }
  loaded->nextFileid = std::max(loaded->nextFileid, m_index.nextFileid);
  loaded->nextCookie = std::max(loaded->nextCookie, m_index.nextCookie);
  loaded->nextVstorage = std::max(loaded->nextVstorage, m_index.nextVstorage);
  m_durableFloor = std::exchange(loaded->changedFloor, m_index.changedFloor);
  m_index = std::move(*loaded);
  m_removed.clear();
  return {};
}

std::vector<VstorageRow> StoredInodeTable::vstorages() const {
  const Lock lock(m_mutex);
  std::vector<VstorageRow> rows;
  for (const auto& [id, row] : m_index.vstorages) rows.push_back(row);
  return rows;
}

std::optional<Inode> StoredInodeTable::get(FileId fileid) const {
  const Lock lock(m_mutex);
  const InodeRecord* record = m_index.find(fileid);
  if (!record) return std::nullopt;
  return record->inode;
}

Result<Inode> StoredInodeTable::lookup(FileId directory, std::string_view name) const {
  const Lock lock(m_mutex);
  auto parent = m_index.directory(directory);
  if (!parent) return fail(parent.error());
  if (name == ".") return (*parent)->inode;
  if (name == "..") return m_index.find((*parent)->inode.parent)->inode;
  if (auto checked = checkName(name); !checked) return fail(checked.error());
  const InodeRecord* child = m_index.child(**parent, name);
  if (!child) return fail(ErrorCode::NotFound, "\"" + std::string(name) + "\" is not there");
  return child->inode;
}

Result<std::vector<DirectoryEntry>> StoredInodeTable::list(FileId directory, uint64_t cookie, size_t countMax) const {
  const Lock lock(m_mutex);
  auto parent = m_index.directory(directory);
  if (!parent) return fail(parent.error());
  std::vector<DirectoryEntry> entries;
  const auto& byCookie = (*parent)->directory->byCookie();
  for (auto entry = byCookie.upper_bound(cookie); entry != byCookie.end() && entries.size() < countMax; ++entry) {
    entries.push_back({entry->second.name, entry->second.fileid, entry->first});
  }
  return entries;
}

Result<std::string> StoredInodeTable::symlinkTarget(FileId fileid) const {
  const Lock lock(m_mutex);
  const InodeRecord* record = m_index.find(fileid);
  if (!record) return fail(ErrorCode::Stale, "file " + std::to_string(fileid) + " is gone");
  if (record->inode.type != FileType::Symlink) return fail(ErrorCode::InvalidArgument, "\"" + m_index.path(fileid) + "\" is not a symbolic link");
  return record->symlinkTarget;
}

std::vector<FileId> StoredInodeTable::regularFiles(VstorageId id) const {
  const Lock lock(m_mutex);
  std::vector<FileId> files;
  for (const auto& [fileid, record] : m_index.all()) {
    if (record.inode.vstorage == id && record.inode.type == FileType::Regular) files.push_back(fileid);
  }
  return files;
}

std::string StoredInodeTable::path(FileId fileid) const {
  const Lock lock(m_mutex);
  return m_index.path(fileid);
}

uint64_t StoredInodeTable::fileCount(VstorageId id) const {
  const Lock lock(m_mutex);
  return m_index.fileCount(id);
}

void StoredInodeTable::noteUsed(const std::vector<std::pair<FileId, uint64_t>>& counted) {
  constexpr size_t atOnce = 256;  // GETATTR waits for the lock meanwhile
  for (size_t at = 0; at < counted.size(); at += atOnce) {
    const Lock lock(m_mutex);
    for (size_t i = at; i < std::min(at + atOnce, counted.size()); ++i)
      if (InodeRecord* record = m_index.find(counted[i].first)) record->inode.usedBytes = counted[i].second;
  }
}

uint64_t StoredInodeTable::journalFloorMax() const {
  const Lock lock(m_mutex);
  uint64_t floor = 0;
  for (const auto& [fileid, record] : m_index.all()) floor = std::max(floor, record.inode.journalFloor);
  return floor;
}

std::vector<FileId> StoredInodeTable::pendingTruncates() const {
  const Lock lock(m_mutex);
  std::vector<FileId> files;
  for (const auto& [fileid, record] : m_index.all()) {
    if (record.inode.pendingTruncate) files.push_back(fileid);
  }
  return files;
}

}  // namespace quarry::metadata
