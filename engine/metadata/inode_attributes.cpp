// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <memory>

#include "engine/base/log.h"
#include "engine/metadata/inode_store.h"
#include "engine/metadata/stored_inode_table.h"

namespace quarry::metadata {

namespace {

constexpr size_t savedPerTransactionMax = 1000;
constexpr auto savePeriod = std::chrono::seconds(3);  // with the transaction itself well under the promised five
constexpr int64_t floorAheadNs = 60'000'000'000;
constexpr uint32_t setUid = 04000, setGid = 02000, groupExecute = 0010;

Error goneError(FileId fileid) { return {ErrorCode::Stale, "file " + std::to_string(fileid) + " is gone"}; }

}  // namespace

Timestamp StoredInodeTable::nextChanged(Timestamp previous) {
  Timestamp next = m_clock.now();
  next.unixNs = std::max({next.unixNs, previous.unixNs + 1, m_index.changedFloor.unixNs + 1});
  m_changedMax = std::max(m_changedMax, next);
  return next;
}

StoredInodeTable::Planned StoredInodeTable::plan(const InodeRecord& record) {
  Planned planned{.before = record.inode, .after = record.inode, .touchCount = record.touchCount};
  planned.after.changed = nextChanged(record.inode.changed);
  return planned;
}

StoredInodeTable::Planned StoredInodeTable::planDirectory(const InodeRecord& record, int linkChange) {
  Planned planned = plan(record);
  planned.after.modified = planned.after.changed;
  planned.after.linkCount += static_cast<uint32_t>(linkChange);
  return planned;
}

void StoredInodeTable::apply(Step& step, const Planned& planned) {
  const auto& [before, after, touchCount] = planned;
  InodeRecord& record = *m_index.find(after.fileid);
  const Inode current = record.inode;
  record.inode = after;
  record.saving.merge(record.touched);
  step.saved.push_back({after.fileid, after.size});
  if (record.touchCount == touchCount) {
    record.touched = {};
    record.isDirty = false;
    m_dirty.erase(after.fileid);
    return;
  }
  // Writes or reads came in between: what this change did not set stays theirs, and is not saved yet. A size that it did set is the size from
  // here on: a larger one that a write touched before must not come back with it when a later transaction fails.
  if (after.size != before.size) record.touched.size = after.size;
  if (after.size == before.size) record.inode.size = current.size;
  if (after.mode == before.mode) record.inode.mode = current.mode;
  if (after.modified == before.modified) record.inode.modified = current.modified;
  if (after.accessed == before.accessed) record.inode.accessed = current.accessed;
  record.inode.changed.unixNs = std::max(after.changed.unixNs, current.changed.unixNs + 1);
  markDirty(record);
}

void StoredInodeTable::markDurable(const Step& step) {
  const Lock lock(m_mutex);
  m_removed.clear();
  for (const Saved& saved : step.saved) {
    InodeRecord* record = m_index.find(saved.fileid);
    if (!record) continue;
    record->durableSize = saved.size;
    record->saving = {};
  }
}

void StoredInodeTable::markDirty(InodeRecord& record) {
  record.isDirty = true;
  m_dirty.insert(record.inode.fileid);
  if (m_changedMax <= m_durableFloor || m_floorWanted) return;
  m_floorWanted = true;
  m_wakeSaver.notifyAll();
}

Task<Result<Change>> StoredInodeTable::setAttributes(FileId fileid, AttributeChange change) {
  return runChange<Change>([=, this](Step& step) { return setAttributesNow(step, fileid, change, Sizing::GrowOnly); });
}

Task<Result<Change>> StoredInodeTable::beginTruncate(FileId fileid, AttributeChange change) {
  return runChange<Change>([=, this](Step& step) { return setAttributesNow(step, fileid, change, Sizing::MayShorten); });
}

Task<Result<void>> StoredInodeTable::endTruncate(FileId fileid) {
  return submitSave([=, this](Step& step) { return endTruncateNow(step, fileid); });
}

Result<Change> StoredInodeTable::setAttributesNow(Step& step, FileId fileid, const AttributeChange& change, Sizing sizing) {
  auto planned = planAttributes(fileid, change, sizing);
  if (!planned) return fail(planned.error());
  if (auto saved = inode_store::updateInode(*step.database, planned->after); !saved) return fail(saved.error());
  const Lock lock(m_mutex);
  apply(step, *planned);
  return planned->change();
}

Result<StoredInodeTable::Planned> StoredInodeTable::planAttributes(FileId fileid, const AttributeChange& change, Sizing sizing) {
  const Lock lock(m_mutex);
  const InodeRecord* record = m_index.find(fileid);
  if (!record) return fail(goneError(fileid));
  const Inode& inode = record->inode;
  if (change.guardChanged && *change.guardChanged != inode.changed) return fail(ErrorCode::NotSync, "\"" + m_index.path(fileid) + "\" was changed meanwhile");
  if (change.size) {
    if (inode.type == FileType::Directory) return fail(ErrorCode::IsDirectory, "a folder has no size to set");
    if (inode.type != FileType::Regular) return fail(ErrorCode::InvalidArgument, "only files have a size to set");
    if (*change.size > fileSizeMax) return fail(ErrorCode::FileTooBig, "the size of \"" + m_index.path(fileid) + "\" is too large");
    if (*change.size < inode.size && sizing == Sizing::GrowOnly) return fail(ErrorCode::InvalidArgument, "shortening needs beginTruncate");
  } else if (sizing == Sizing::MayShorten) {
    return fail(ErrorCode::InvalidArgument, "a truncation needs a size");
  }
  Planned planned = plan(*record);
  Inode& after = planned.after;
  if (change.mode) after.mode = *change.mode & 07777;
  if (change.uid) after.uid = *change.uid;
  if (change.gid) after.gid = *change.gid;
  if (change.size) {
    after.size = *change.size;
    after.modified = after.changed;
  }
  if (change.size && *change.size < inode.size) {
    after.pendingTruncate = std::min(*change.size, inode.pendingTruncate.value_or(*change.size));
    ++after.truncateCounter;
    after.journalFloor = std::max(inode.journalFloor, change.journalFloor.value_or(0));
  }
  if (change.accessed) after.accessed = *change.accessed;
  if (change.modified) after.modified = *change.modified;
  return planned;
}

Result<void> StoredInodeTable::endTruncateNow(Step& step, FileId fileid) {
  Planned planned;
  {
    const Lock lock(m_mutex);
    const InodeRecord* record = m_index.find(fileid);
    if (!record || !record->inode.pendingTruncate) return {};
    planned = {.before = record->inode, .after = record->inode, .touchCount = record->touchCount};
    planned.after.pendingTruncate.reset();
  }
  if (auto saved = inode_store::updateInode(*step.database, planned.after); !saved) return saved;
  const Lock lock(m_mutex);
  apply(step, planned);
  return {};
}

Result<Change> StoredInodeTable::touchWritten(FileId fileid, uint64_t sizeMin) {
  const Lock lock(m_mutex);
  InodeRecord* record = m_index.find(fileid);
  if (!record) return fail(goneError(fileid));
  if (record->directory) return fail(ErrorCode::IsDirectory, "\"" + m_index.path(fileid) + "\" is a folder");
  if (record->inode.type != FileType::Regular) return fail(ErrorCode::InvalidArgument, "\"" + m_index.path(fileid) + "\" is not a file");
  if (sizeMin > fileSizeMax) return fail(ErrorCode::FileTooBig, "\"" + m_index.path(fileid) + "\" would become too large");
  Change change{record->inode, {}};
  Inode& inode = record->inode;
  inode.size = std::max(inode.size, sizeMin);
  inode.modified = inode.changed = nextChanged(inode.changed);
  inode.mode &= ~(inode.mode & groupExecute ? setUid | setGid : setUid);
  record->touched.merge({inode.size, inode.modified});
  ++record->touchCount;
  markDirty(*record);
  change.after = inode;
  return change;
}

std::optional<Inode> StoredInodeTable::touchRead(FileId fileid) {
  const Lock lock(m_mutex);
  InodeRecord* record = m_index.find(fileid);
  if (!record) return std::nullopt;
  record->inode.accessed = std::max(record->inode.accessed, m_clock.now());
  ++record->touchCount;
  if (!std::exchange(record->isDirty, true)) m_dirty.insert(fileid);
  return record->inode;
}

Task<Result<void>> StoredInodeTable::submitSave(std::function<Result<void>(Step&)> save) {
  auto step = std::make_shared<Step>();
  TransactionQueue::Work work = [step, save = std::move(save)](Database& database) {
    step->database = &database;
    return save(*step);
  };
  return m_queue.submit(std::move(work), [this, step] { markDurable(*step); });
}

Task<Result<void>> StoredInodeTable::persistSize(FileId fileid) {
  {
    const Lock lock(m_mutex);
    const InodeRecord* record = m_index.find(fileid);
    if (!record) co_return fail(goneError(fileid));
    if (record->durableSize >= record->inode.size) co_return Result<void>();
  }
  std::function<Result<void>(Step&)> save = [this, fileid](Step& step) { return saveInode(step, fileid); };
  co_return co_await submitSave(std::move(save));
}

Task<Result<void>> StoredInodeTable::persistAll() {
  while (true) {
    const std::vector<FileId> fileids = takeDirty(savedPerTransactionMax);
    const bool isLast = fileids.size() < savedPerTransactionMax;
    std::function<Result<void>(Step&)> save = [this, isLast, fileids](Step& step) -> Result<void> {
      if (auto done = saveInodes(step, fileids); !done || !isLast) return done;
      Timestamp floor;
      {
        const Lock lock(m_mutex);
        floor = std::max(m_changedMax, m_index.changedFloor);
      }
      return saveFloor(*step.database, floor);
    };
    auto saved = co_await submitSave(std::move(save));
    if (!saved || isLast) co_return saved;
  }
}

Result<void> StoredInodeTable::saveInodes(Step& step, const std::vector<FileId>& fileids) {
  for (const FileId fileid : fileids) {
    auto saved = saveInode(step, fileid);
    if (saved) continue;
    // The savepoint takes all of them back.
    const Lock lock(m_mutex);
    for (const Saved& undone : step.saved) {
      if (InodeRecord* record = m_index.find(undone.fileid)) markDirty(*record);
    }
    return saved;
  }
  return {};
}

Result<void> StoredInodeTable::saveInode(Step& step, FileId fileid) {
  Planned planned;
  {
    const Lock lock(m_mutex);
    const InodeRecord* record = m_index.find(fileid);
    if (!record || !record->isDirty) return {};
    planned = {.before = record->inode, .after = record->inode, .touchCount = record->touchCount};
  }
  if (auto saved = inode_store::updateInode(*step.database, planned.after); !saved) return saved;
  const Lock lock(m_mutex);
  apply(step, planned);
  return {};
}

std::vector<FileId> StoredInodeTable::takeDirty(size_t countMax) {
  const Lock lock(m_mutex);
  std::vector<FileId> fileids;
  for (auto fileid = m_dirty.begin(); fileid != m_dirty.end() && fileids.size() < countMax; ++fileid) fileids.push_back(*fileid);
  return fileids;
}

Result<void> StoredInodeTable::saveFloor(Database& database, Timestamp floor) {
  if (auto saved = inode_store::setCounter(database, "changed_floor", static_cast<uint64_t>(floor.unixNs)); !saved) return saved;
  const Lock lock(m_mutex);
  m_durableFloor = floor;
  m_floorWanted = false;
  return {};
}

// Saves what is dirty every few seconds, and raises the floor of changed times when it is reached.
void StoredInodeTable::savingLoop() {
  auto lastSave = std::chrono::steady_clock::now();
  while (waitForSaving()) {
    raiseFloor();
    if (std::chrono::steady_clock::now() - lastSave < savePeriod) continue;
    lastSave = std::chrono::steady_clock::now();
    if (auto saved = saveAllNow(); !saved) log("metadata").warn("sizes and times are not saved yet: {}", saved.error().message);
  }
}

// False when the table ends.
bool StoredInodeTable::waitForSaving() {
  const Lock lock(m_mutex);
  if (!m_ending && !m_floorWanted) m_wakeSaver.waitFor(m_mutex, savePeriod);
  return !m_ending;
}

void StoredInodeTable::raiseFloor() {
  {
    const Lock lock(m_mutex);
    if (!m_floorWanted) return;
  }
  const Timestamp now = m_clock.now();
  const auto raised = m_queue.submitAndWait([this, now](Database& database) {
    Timestamp floor;
    {
      const Lock lock(m_mutex);
      floor.unixNs = std::max(now, m_changedMax).unixNs + floorAheadNs;
    }
    return saveFloor(database, floor);
  });
  const Lock lock(m_mutex);
  m_floorWanted = false;
  if (!raised && !m_ending) m_wakeSaver.waitFor(m_mutex, savePeriod);  // a failing disk is not asked without a pause
}

Result<void> StoredInodeTable::saveAllNow() {
  while (true) {
    const std::vector<FileId> fileids = takeDirty(savedPerTransactionMax);
    if (fileids.empty()) return {};
    Step step;
    const auto save = [&](Database& database) {
      step.database = &database;
      return saveInodes(step, fileids);
    };
    auto saved = m_queue.submitAndWait(save, [&] { markDurable(step); });
    if (!saved || fileids.size() < savedPerTransactionMax) return saved;
  }
}

}  // namespace quarry::metadata
