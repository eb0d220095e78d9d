// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/inode_store.h"
#include "engine/metadata/stored_inode_table.h"

namespace quarry::metadata {

Task<Result<Removed>> StoredInodeTable::remove(FileId directory, std::string name) {
  return runChange<Removed>([=, this](Step& step) { return removeNow(step, directory, name, Removing::File); });
}

Task<Result<Removed>> StoredInodeTable::removeDirectory(FileId directory, std::string name) {
  return runChange<Removed>([=, this](Step& step) { return removeNow(step, directory, name, Removing::Directory); });
}

Result<Removed> StoredInodeTable::removeNow(Step& step, FileId directory, const std::string& name, Removing what) {
  const bool wantDirectory = what == Removing::Directory;
  if (auto checked = checkName(name); !checked) return fail(checked.error());
  Planned parent;
  Unlinked unlinked;
  uint64_t cookie = 0;
  {
    const Lock lock(m_mutex);
    auto from = m_index.directory(directory);
    if (!from) return fail(from.error());
    const InodeRecord* target = m_index.child(**from, name);
    if (!target) return fail(ErrorCode::NotFound, "\"" + name + "\" is not there");
    if (wantDirectory && !target->directory) return fail(ErrorCode::NotDirectory, "\"" + name + "\" is not a folder");
    if (!wantDirectory && target->directory) return fail(ErrorCode::IsDirectory, "\"" + name + "\" is a folder");
    if (wantDirectory && !target->directory->byCookie().empty()) return fail(ErrorCode::NotEmpty, "the folder \"" + name + "\" is not empty");
    cookie = *(*from)->directory->cookieOf(name);
    unlinked = planUnlink(*target, cookie);
    parent = planDirectory(**from, wantDirectory ? -1 : 0);
  }
  Database& database = *step.database;
  if (auto saved = inode_store::deleteEntry(database, cookie); !saved) return fail(saved.error());
  if (auto saved = saveUnlinked(database, unlinked); !saved) return fail(saved.error());
  if (auto saved = inode_store::updateInode(database, parent.after); !saved) return fail(saved.error());

  const Lock lock(m_mutex);
  m_index.eraseEntry(directory, cookie);
  Inode removed = applyUnlinked(step, unlinked);
  apply(step, parent);
  return Removed{.directory = parent.change(), .inode = std::move(removed)};
}

StoredInodeTable::Unlinked StoredInodeTable::planUnlink(const InodeRecord& target, uint64_t cookie) {
  Unlinked unlinked{.target = plan(target), .isGone = target.directory || target.inode.linkCount <= 1, .nameCookie = target.nameCookie};
  Inode& after = unlinked.target.after;
  if (unlinked.isGone) {
    after.linkCount = 0;
    ++after.truncateCounter;
    return unlinked;
  }
  --after.linkCount;
  if (cookie != target.nameCookie) return unlinked;
  if (const auto other = m_index.otherEntry(after.fileid, cookie)) {
    after.parent = other->first;
    unlinked.nameCookie = other->second;
  }
  return unlinked;
}

Result<void> StoredInodeTable::saveUnlinked(Database& database, const Unlinked& unlinked) {
  const Inode& after = unlinked.target.after;
  return unlinked.isGone ? inode_store::deleteInode(database, after.fileid) : inode_store::updateInode(database, after);
}

Inode StoredInodeTable::applyUnlinked(Step& step, const Unlinked& unlinked) {
  const FileId fileid = unlinked.target.after.fileid;
  apply(step, unlinked.target);
  InodeRecord& record = *m_index.find(fileid);
  record.nameCookie = unlinked.nameCookie;
  Inode inode = record.inode;
  if (unlinked.isGone) forget(fileid);
  return inode;
}

void StoredInodeTable::forget(FileId fileid) {
  m_dirty.erase(fileid);
  m_removed.insert_or_assign(fileid, m_index.takeInode(fileid));
}

}  // namespace quarry::metadata
