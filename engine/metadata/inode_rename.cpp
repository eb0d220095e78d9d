// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/inode_store.h"
#include "engine/metadata/stored_inode_table.h"

namespace quarry::metadata {

// The new name keeps the row of a replaced entry, so that a listing under way misses it in no case; otherwise it gets a row of its own.
struct StoredInodeTable::RenamePlan {
  std::optional<Renamed> nothingToDo;  // both names lead to one inode
  uint64_t fromCookie = 0, toCookie = 0;
  Planned moved, fromDirectory, toDirectory;
  std::optional<Unlinked> replaced;
  bool sameDirectory() const { return fromDirectory.after.fileid == toDirectory.after.fileid; }
};

Task<Result<Renamed>> StoredInodeTable::rename(RenameRequest request) {
  return runChange<Renamed>([this, request = std::move(request)](Step& step) { return renameNow(step, request); });
}

Result<Renamed> StoredInodeTable::renameNow(Step& step, const RenameRequest& request) {
  if (auto checked = checkName(request.fromName); !checked) return fail(checked.error());
  if (auto checked = checkName(request.toName); !checked) return fail(checked.error());
  RenamePlan plan;
  {
    const Lock lock(m_mutex);
    auto planned = planRename(request);
    if (!planned) return fail(planned.error());
    plan = std::move(*planned);
  }
  if (plan.nothingToDo) return *plan.nothingToDo;
  if (auto saved = saveRename(*step.database, request, plan); !saved) return fail(saved.error());
  const Lock lock(m_mutex);
  return applyRename(step, request, plan);
}

Result<StoredInodeTable::RenamePlan> StoredInodeTable::planRename(const RenameRequest& request) {
  auto from = m_index.directory(request.fromDirectory);
  if (!from) return fail(from.error());
  auto to = m_index.directory(request.toDirectory);
  if (!to) return fail(to.error());
  const InodeRecord* moved = m_index.child(**from, request.fromName);
  if (!moved) return fail(ErrorCode::NotFound, "\"" + request.fromName + "\" is not there");
  if ((*from)->inode.vstorage != (*to)->inode.vstorage) return fail(ErrorCode::CrossDevice, "a rename stays inside one vstorage");
  const InodeRecord* replaced = m_index.child(**to, request.toName);
  RenamePlan plan;
  if (replaced == moved) {
    const Change fromSame{(*from)->inode, (*from)->inode}, toSame{(*to)->inode, (*to)->inode};
    plan.nothingToDo = Renamed{.fromDirectory = fromSame, .toDirectory = toSame, .replaced = std::nullopt, .moved = moved->inode};
    return plan;
  }
  const bool isDirectory = moved->directory != nullptr;
  if (isDirectory && m_index.isBelow(request.toDirectory, moved->inode.fileid)) {
    return fail(ErrorCode::InvalidArgument, "the folder \"" + request.fromName + "\" cannot be moved below itself");
  }
  if (replaced) {
    if (auto checked = checkReplaced(request, *moved, *replaced); !checked) return fail(checked.error());
  }
  const int gained = isDirectory && !replaced ? 1 : 0;  // subfolders of the target folder
  const bool sameDirectory = request.fromDirectory == request.toDirectory;
  if (gained && !sameDirectory && (*to)->inode.linkCount >= linkCountMax) {
    return fail(ErrorCode::TooManyLinks, "\"" + m_index.path(request.toDirectory) + "\" holds as many folders as are allowed");
  }
  plan.fromCookie = *(*from)->directory->cookieOf(request.fromName);
  plan.toCookie = replaced ? *(*to)->directory->cookieOf(request.toName) : m_index.nextCookie++;
  plan.moved = this->plan(*moved);
  plan.moved.after.parent = request.toDirectory;
  if (replaced) plan.replaced = planUnlink(*replaced, plan.toCookie);
  plan.fromDirectory = planDirectory(**from, isDirectory ? (sameDirectory ? gained - 1 : -1) : 0);
  plan.toDirectory = sameDirectory ? plan.fromDirectory : planDirectory(**to, gained);
  return plan;
}

Result<void> StoredInodeTable::checkReplaced(const RenameRequest& request, const InodeRecord& moved, const InodeRecord& replaced) const {
  if (moved.directory && !replaced.directory) return fail(ErrorCode::NotDirectory, "\"" + request.toName + "\" exists and is not a folder");
  if (!moved.directory && replaced.directory) return fail(ErrorCode::IsDirectory, "\"" + request.toName + "\" exists and is a folder");
  if (replaced.directory && !replaced.directory->byCookie().empty()) {
    return fail(ErrorCode::NotEmpty, "the folder \"" + request.toName + "\" is not empty");
  }
  return {};
}

Result<void> StoredInodeTable::saveRename(Database& database, const RenameRequest& request, const RenamePlan& plan) {
  const FileId moved = plan.moved.after.fileid;
  if (auto saved = inode_store::deleteEntry(database, plan.fromCookie); !saved) return saved;
  if (plan.replaced) {
    if (auto saved = inode_store::setEntryTarget(database, plan.toCookie, moved); !saved) return saved;
    if (auto saved = saveUnlinked(database, *plan.replaced); !saved) return saved;
  } else {
    auto saved = inode_store::insertEntry(database, request.toDirectory, plan.toCookie, request.toName, moved);
    if (!saved) return saved;
    if (saved = inode_store::setCounter(database, "next_cookie", plan.toCookie + 1); !saved) return saved;
  }
  if (auto saved = inode_store::updateInode(database, plan.moved.after); !saved) return saved;
  if (auto saved = inode_store::updateInode(database, plan.fromDirectory.after); !saved) return saved;
  if (plan.sameDirectory()) return {};
  return inode_store::updateInode(database, plan.toDirectory.after);
}

Renamed StoredInodeTable::applyRename(Step& step, const RenameRequest& request, const RenamePlan& plan) {
  const FileId moved = plan.moved.after.fileid;
  Renamed renamed{.fromDirectory = plan.fromDirectory.change(), .toDirectory = plan.toDirectory.change(), .replaced = std::nullopt, .moved = {}};
  m_index.eraseEntry(request.fromDirectory, plan.fromCookie);
  apply(step, plan.moved);
  if (plan.replaced) {
    m_index.setEntryTarget(request.toDirectory, plan.toCookie, moved);
    renamed.replaced = applyUnlinked(step, *plan.replaced);
  } else {
    m_index.addEntry(request.toDirectory, plan.toCookie, {request.toName, moved});
    m_index.find(moved)->nameCookie = plan.toCookie;
  }
  apply(step, plan.fromDirectory);
  if (!plan.sameDirectory()) apply(step, plan.toDirectory);
  renamed.moved = m_index.find(moved)->inode;
  return renamed;
}

}  // namespace quarry::metadata
