// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/inode_store.h"
#include "engine/metadata/stored_inode_table.h"

namespace quarry::metadata {

namespace {

constexpr size_t symlinkBytesMax = 4096;
constexpr uint64_t directorySize = 4096;

uint32_t defaultMode(FileType type) {
  if (type == FileType::Directory) return 0755;
  return type == FileType::Symlink ? 0777 : 0644;
}

Result<void> checkRequest(const CreateRequest& request) {
  if (auto checked = checkName(request.name); !checked) return checked;
  if (request.attributes.size && request.type != FileType::Regular) return fail(ErrorCode::InvalidArgument, "only files can be given a size");
  if (request.attributes.size.value_or(0) > fileSizeMax) return fail(ErrorCode::FileTooBig, "the size of \"" + request.name + "\" is too large");
  if (request.type != FileType::Symlink) return {};
  const std::string& target = request.symlinkTarget;
  if (target.empty() || target.find('\0') != std::string::npos) return fail(ErrorCode::InvalidArgument, "a symbolic link needs a target");
  if (target.size() > symlinkBytesMax) return fail(ErrorCode::NameTooLong, "the target of \"" + request.name + "\" is too long");
  return {};
}

}  // namespace

struct StoredInodeTable::CreatePlan {
  std::optional<Created> existing;  // nothing to do
  Inode inode;
  uint64_t cookie = 0;
  Planned directory;
};

Task<Result<Created>> StoredInodeTable::create(CreateRequest request) {
  return runChange<Created>([this, request = std::move(request)](Step& step) { return createNow(step, request); });
}

Task<Result<Change>> StoredInodeTable::link(FileId fileid, FileId directory, std::string name) {
  return runChange<Change>([=, this](Step& step) { return linkNow(step, fileid, directory, name); });
}

Result<Created> StoredInodeTable::createNow(Step& step, const CreateRequest& request) {
  if (auto checked = checkRequest(request); !checked) return fail(checked.error());
  CreatePlan plan;
  {
    const Lock lock(m_mutex);
    auto planned = planCreate(request);
    if (!planned) return fail(planned.error());
    plan = std::move(*planned);
  }
  if (plan.existing) return *plan.existing;

  Database& database = *step.database;
  const Inode& inode = plan.inode;
  if (auto saved = inode_store::insertInode(database, inode, request.symlinkTarget); !saved) return fail(saved.error());
  if (auto saved = inode_store::insertEntry(database, request.directory, plan.cookie, request.name, inode.fileid); !saved) return fail(saved.error());
  if (auto saved = inode_store::updateInode(database, plan.directory.after); !saved) return fail(saved.error());
  if (auto saved = inode_store::setCounter(database, "next_fileid", inode.fileid + 1); !saved) return fail(saved.error());
  if (auto saved = inode_store::setCounter(database, "next_cookie", plan.cookie + 1); !saved) return fail(saved.error());

  const Lock lock(m_mutex);
  InodeRecord& record = m_index.addInode(inode, request.symlinkTarget);
  record.durableSize = 0;  // until the transaction is through
  step.saved.push_back({inode.fileid, inode.size});
  m_index.addEntry(request.directory, plan.cookie, {request.name, inode.fileid});
  apply(step, plan.directory);
  return Created{.inode = inode, .isNew = true, .directory = plan.directory.change()};
}

Result<StoredInodeTable::CreatePlan> StoredInodeTable::planCreate(const CreateRequest& request) {
  auto directory = m_index.directory(request.directory);
  if (!directory) return fail(directory.error());
  CreatePlan plan;
  if (const InodeRecord* existing = m_index.child(**directory, request.name)) {
    auto created = createExisting(request, **directory, *existing);
    if (!created) return fail(created.error());
    plan.existing = std::move(*created);
    return plan;
  }
  const bool isDirectory = request.type == FileType::Directory;
  if (isDirectory && (*directory)->inode.linkCount >= linkCountMax) {
    return fail(ErrorCode::TooManyLinks, "\"" + m_index.path(request.directory) + "\" holds as many folders as are allowed");
  }
  plan.inode = newInode(request, **directory);
  plan.cookie = m_index.nextCookie++;
  plan.directory = planDirectory(**directory, isDirectory ? 1 : 0);
  return plan;
}

// An existing regular file is what UNCHECKED asks for; EXCLUSIVE only takes the file that the same call made before.
Result<Created> StoredInodeTable::createExisting(const CreateRequest& request, const InodeRecord& directory, const InodeRecord& existing) const {
  const bool bothRegular = request.type == FileType::Regular && existing.inode.type == FileType::Regular;
  const bool isRepeated = request.createMode == CreateMode::Exclusive && request.verifier && existing.inode.createVerifier == request.verifier;
  if (!bothRegular || !(request.createMode == CreateMode::Unchecked || isRepeated)) {
    return fail(ErrorCode::Exists, "\"" + request.name + "\" exists already");
  }
  return Created{.inode = existing.inode, .isNew = false, .directory = {directory.inode, directory.inode}};
}

Inode StoredInodeTable::newInode(const CreateRequest& request, const InodeRecord& directory) {
  const AttributeChange& wanted = request.attributes;
  Inode inode;
  inode.fileid = m_index.nextFileid++;
  inode.vstorage = directory.inode.vstorage;
  inode.generation = static_cast<uint32_t>(m_random());
  inode.type = request.type;
  inode.mode = wanted.mode.value_or(defaultMode(request.type)) & 07777;
  inode.uid = wanted.uid.value_or(0);
  inode.gid = wanted.gid.value_or(0);
  inode.linkCount = request.type == FileType::Directory ? 2 : 1;
  inode.size = request.type == FileType::Directory ? directorySize : wanted.size.value_or(0);
  if (request.type == FileType::Symlink) inode.size = request.symlinkTarget.size();
  inode.changed = nextChanged({});
  inode.accessed = wanted.accessed.value_or(inode.changed);
  inode.modified = wanted.modified.value_or(inode.changed);
  inode.deviceMajor = request.deviceMajor;
  inode.deviceMinor = request.deviceMinor;
  inode.parent = request.directory;
  if (request.createMode == CreateMode::Exclusive) inode.createVerifier = request.verifier;
  return inode;
}

Result<Change> StoredInodeTable::linkNow(Step& step, FileId fileid, FileId directory, const std::string& name) {
  if (auto checked = checkName(name); !checked) return fail(checked.error());
  Planned target, parent;
  uint64_t cookie = 0;
  {
    const Lock lock(m_mutex);
    const InodeRecord* record = m_index.find(fileid);
    if (!record) return fail(ErrorCode::Stale, "file " + std::to_string(fileid) + " is gone");
    if (record->directory) return fail(ErrorCode::IsDirectory, "a folder cannot have a second name");
    auto into = m_index.directory(directory);
    if (!into) return fail(into.error());
    if ((*into)->inode.vstorage != record->inode.vstorage) return fail(ErrorCode::CrossDevice, "a file has names in its own vstorage only");
    if (m_index.child(**into, name)) return fail(ErrorCode::Exists, "\"" + name + "\" exists already");
    if (record->inode.linkCount >= linkCountMax) return fail(ErrorCode::TooManyLinks, "\"" + m_index.path(fileid) + "\" has too many names");
    target = plan(*record);
    ++target.after.linkCount;
    target.after.parent = directory;
    cookie = m_index.nextCookie++;
    parent = planDirectory(**into, 0);
  }
  Database& database = *step.database;
  if (auto saved = inode_store::insertEntry(database, directory, cookie, name, fileid); !saved) return fail(saved.error());
  if (auto saved = inode_store::updateInode(database, target.after); !saved) return fail(saved.error());
  if (auto saved = inode_store::updateInode(database, parent.after); !saved) return fail(saved.error());
  if (auto saved = inode_store::setCounter(database, "next_cookie", cookie + 1); !saved) return fail(saved.error());

  const Lock lock(m_mutex);
  apply(step, target);
  apply(step, parent);
  m_index.addEntry(directory, cookie, {name, fileid});
  return parent.change();
}

}  // namespace quarry::metadata
