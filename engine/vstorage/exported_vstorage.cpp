// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes and names; exported_vstorage_data.cpp has the bytes and sizes.
#include "engine/vstorage/exported_vstorage.h"

#include <algorithm>
#include <utility>

#include "engine/vstorage/permissions.h"

namespace quarry {

namespace {
constexpr uint32_t nobody = 65534;
constexpr uint64_t selfCookie = 1, parentCookie = 2;
constexpr uint64_t changeBytes = 64 * 1024;        // what a change of names may take in namespace.db
constexpr uint64_t filesMax = uint64_t{1} << 32;   // shown to clients; nothing ends there
constexpr size_t nameBytesMax = 255;
constexpr size_t targetBytesMax = 4096;            // of a symbolic link

Result<void> checkName(std::string_view name) {
  if (name.empty() || name == "." || name == "..") return fail(ErrorCode::InvalidArgument, "not a name for an entry");
  if (name.size() > nameBytesMax) return fail(ErrorCode::NameTooLong, "a name has at most 255 bytes");
  if (name.find('/') != std::string_view::npos || name.find('\0') != std::string_view::npos)
    return fail(ErrorCode::InvalidArgument, "a name holds neither '/' nor a zero byte");
  return {};
}
}  // namespace

ExportedVstorage::ExportedVstorage(const VstorageTable::Parts& parts, const metadata::VstorageRow& row, VstorageSettings settings, AddressList clients)
    : m_parts(parts),
      m_id(row.id),
      m_name(row.name),
      m_root(row.root),
      m_engineRecorder(parts.recorders.open("engine")),
      m_recorder(parts.recorders.open("vstorage/" + row.name)),
      m_quota(parts.savings, row.id),
      m_account(parts.caches.write().account(row.id)) {
  apply(std::move(settings), std::move(clients));
}

std::shared_ptr<const ExportedVstorage::Live> ExportedVstorage::live() const {
  const Lock lock(m_mutex);
  return m_live;
}

void ExportedVstorage::apply(VstorageSettings settings, AddressList clients) {
  auto next = std::make_shared<const Live>(std::move(settings), std::move(clients));
  const Lock lock(m_mutex);
  m_live = std::move(next);
}

VstorageSettings ExportedVstorage::settings() const { return live()->settings; }
bool ExportedVstorage::readOnly() const { return m_parts.health.isReadOnly() || live()->settings.readOnly; }
bool ExportedVstorage::allowsClient(std::string_view address) const { return !m_removed && live()->allows(address); }

bool ExportedVstorage::Live::allows(std::string_view address) const {
  constexpr size_t knownMax = 1024;
  const Lock lock(mutex);
  if (const auto found = known.find(address); found != known.end()) return found->second;
  const bool isAllowed = clients.contains(address);
  if (known.size() < knownMax) known.emplace(address, isAllowed);
  return isAllowed;
}


Caller ExportedVstorage::squash(Caller caller) const {
  const protocol::Squash squash = live()->settings.squash;
  if (squash == protocol::Squash::All || (squash == protocol::Squash::Root && caller.uid == 0)) return {nobody, nobody, {}};
  if (squash == protocol::Squash::Root) {
    if (caller.gid == 0) caller.gid = nobody;
    std::replace(caller.groups.begin(), caller.groups.end(), 0u, nobody);
  }
  return caller;
}

Result<Inode> ExportedVstorage::getAttributes(FileId fileid) const {
  auto inode = m_parts.inodes.get(fileid);
  if (!inode || inode->vstorage != m_id || m_removed) return fail(ErrorCode::Stale, "the file is gone");
  return std::move(*inode);
}

Result<Inode> ExportedVstorage::directoryFor(FileId fileid) const {
  auto inode = getAttributes(fileid);
  if (inode && inode->type != metadata::FileType::Directory) return fail(ErrorCode::NotDirectory, "not a directory");
  return inode;
}

Result<Inode> ExportedVstorage::regularFile(FileId fileid) const {
  auto inode = getAttributes(fileid);
  if (!inode || inode->type == metadata::FileType::Regular) return inode;
  if (inode->type == metadata::FileType::Directory) return fail(ErrorCode::IsDirectory, "a directory has no data");
  return fail(ErrorCode::InvalidArgument, "only regular files have data");
}

Result<void> ExportedVstorage::checkWritable() const {
  if (m_parts.health.isReadOnly()) return fail(ErrorCode::ReadOnly, "the store is read-only: " + m_parts.health.reason());
  if (live()->settings.readOnly) return fail(ErrorCode::ReadOnly, "vstorage " + m_name + " is read-only");
  return {};
}

// Changes of names may use the reserve: removing files is how a full store gets free again.
Result<void> ExportedVstorage::admitSmall() { return m_parts.space.admit(changeBytes, SpaceGuard::Use::Small); }

uint32_t ExportedVstorage::access(const Caller& caller, const Inode& inode, uint32_t wanted) const {
  const uint32_t granted = grantedAccess(caller, inode, wanted);
  return readOnly() ? granted & ~uint32_t{AccessModify | AccessExtend | AccessDelete} : granted;
}

Result<Inode> ExportedVstorage::lookup(const Caller& caller, FileId directory, std::string_view name) const {
  const auto inode = directoryFor(directory);
  if (!inode) return inode;
  if (auto allowed = checkLookup(caller, *inode); !allowed) return fail(allowed.error());
  if (name.size() > nameBytesMax) return fail(ErrorCode::NameTooLong, "a name has at most 255 bytes");
  return m_parts.inodes.lookup(directory, name);
}

Result<std::string> ExportedVstorage::readLink(const Caller&, FileId fileid) const {
  const auto inode = getAttributes(fileid);
  if (!inode) return fail(inode.error());
  if (inode->type != metadata::FileType::Symlink) return fail(ErrorCode::InvalidArgument, "not a symbolic link");
  return m_parts.inodes.symlinkTarget(fileid);
}

Result<DirectoryPage> ExportedVstorage::readDirectory(const Caller& caller, FileId directory, uint64_t cookie, size_t entryCountMax) const {
  const auto inode = directoryFor(directory);
  if (!inode) return fail(inode.error());
  if (auto allowed = checkList(caller, *inode); !allowed) return fail(allowed.error());
  DirectoryPage page;
  if (cookie < selfCookie && page.entries.size() < entryCountMax) page.entries.push_back({".", selfCookie, *inode});
  if (cookie < parentCookie && page.entries.size() < entryCountMax) {
    const auto parent = m_parts.inodes.get(inode->parent);
    page.entries.push_back({"..", parentCookie, parent ? *parent : *inode});
  }
  const size_t wanted = entryCountMax - page.entries.size();
  if (wanted == 0) return page;
  auto listed = m_parts.inodes.list(directory, cookie <= parentCookie ? 0 : cookie, wanted + 1);
  if (!listed) return fail(listed.error());
  page.atEnd = listed->size() <= wanted;
  if (!page.atEnd) listed->resize(wanted);
  for (metadata::DirectoryEntry& entry : *listed) {
    auto found = m_parts.inodes.get(entry.fileid);
    if (found) page.entries.push_back({std::move(entry.name), entry.cookie, std::move(*found)});  // else removed since it was listed
  }
  return page;
}

VstorageSpace ExportedVstorage::space() const {
  const SpaceGuard::Space disk = m_parts.space.space();
  VstorageSpace space{disk.totalBytes, disk.freeBytes, disk.availableBytes, filesMax, filesMax - std::min(filesMax, m_parts.inodes.fileCount(m_id))};
  if (const uint64_t quotaBytes = live()->settings.quotaBytes; quotaBytes > 0) {
    const uint64_t left = quotaBytes - std::min(quotaBytes, m_quota.usedBytes());
    space.totalBytes = quotaBytes;
    space.freeBytes = std::min(disk.freeBytes, left);
    space.availableBytes = std::min(disk.availableBytes, left);
  }
  return space;
}

Task<Result<Created>> ExportedVstorage::create(const Caller& caller, CreateRequest request) {
  if (auto writable = checkWritable(); !writable) co_return fail(writable.error());
  if (auto named = checkName(request.name); !named) co_return fail(named.error());
  const auto directory = directoryFor(request.directory);
  if (!directory) co_return fail(directory.error());
  if (request.symlinkTarget.size() > targetBytesMax) co_return fail(ErrorCode::NameTooLong, "a symbolic link's target has at most 4096 bytes");
  if (request.attributes.size.value_or(0) > fileBytesMax) co_return fail(ErrorCode::FileTooBig, "no file may be larger than 64 TiB");
  // What is there already answers before the permission to make it: EXIST for GUARDED, the file itself for UNCHECKED.
  const bool isThere = m_parts.inodes.lookup(request.directory, request.name).has_value();
  auto allowed = isThere ? checkLookup(caller, *directory) : checkAdd(caller, *directory);
  if (allowed && !isThere) allowed = admitSmall();
  if (!allowed) co_return fail(allowed.error());
  auto attributes = attributesOfNew(caller, *directory, request.type, std::move(request.attributes));
  if (!attributes) co_return fail(attributes.error());
  request.attributes = std::move(*attributes);
  const FileId directoryId = request.directory;
  const std::string name = request.name;
  auto created = co_await m_parts.inodes.create(std::move(request));
  if (created && created->isNew) m_parts.vms.entryChanged(directoryId, name);
  co_return created;
}

Result<Inode> ExportedVstorage::checkRemoval(const Caller& caller, FileId directory, std::string_view name) const {
  if (auto writable = checkWritable(); !writable) return fail(writable.error());
  if (auto named = checkName(name); !named) return fail(named.error());
  const auto parent = directoryFor(directory);
  if (!parent) return parent;
  auto entry = m_parts.inodes.lookup(directory, name);
  if (!entry) return entry;
  if (auto allowed = checkTakeAway(caller, *parent, *entry); !allowed) return fail(allowed.error());
  return entry;
}

Task<Result<Removed>> ExportedVstorage::remove(const Caller& caller, FileId directory, std::string name) {
  const auto entry = checkRemoval(caller, directory, name);
  if (!entry) co_return fail(entry.error());
  auto removed = co_await m_parts.inodes.remove(directory, name);
  if (!removed) co_return removed;
  m_parts.vms.entryChanged(directory, name);
  if (removed->inode.linkCount == 0 && removed->inode.type == metadata::FileType::Regular) m_parts.files.drop({removed->inode.fileid});
  co_return removed;
}

Task<Result<Removed>> ExportedVstorage::removeDirectory(const Caller& caller, FileId directory, std::string name) {
  const auto entry = checkRemoval(caller, directory, name);
  if (!entry) co_return fail(entry.error());
  auto removed = co_await m_parts.inodes.removeDirectory(directory, name);
  if (removed) m_parts.vms.entryChanged(directory, name);
  co_return removed;
}

Task<Result<Renamed>> ExportedVstorage::rename(const Caller& caller, RenameRequest request) {
  const auto moved = checkRemoval(caller, request.fromDirectory, request.fromName);
  if (!moved) co_return fail(moved.error());
  if (auto named = checkName(request.toName); !named) co_return fail(named.error());
  const auto target = directoryFor(request.toDirectory);
  if (!target) co_return fail(target.error());
  const auto replaced = m_parts.inodes.lookup(request.toDirectory, request.toName);
  const auto allowed = replaced ? checkTakeAway(caller, *target, *replaced) : checkAdd(caller, *target);
  if (!allowed) co_return fail(allowed.error());
  if (auto admitted = admitSmall(); !admitted) co_return fail(admitted.error());
  auto renamed = co_await m_parts.inodes.rename(request);
  if (!renamed) co_return renamed;
  tellMoved(request, renamed->moved);
  if (renamed->replaced && renamed->replaced->linkCount == 0 && renamed->replaced->type == metadata::FileType::Regular)
    m_parts.files.drop({renamed->replaced->fileid});
  co_return renamed;
}

void ExportedVstorage::tellMoved(const RenameRequest& request, const Inode& moved) {
  if (moved.type == metadata::FileType::Directory) m_parts.vms.folderMoved(moved.fileid);
  if (moved.type != metadata::FileType::Directory && request.fromDirectory != request.toDirectory) m_parts.vms.fileMoved(moved.fileid);
  m_parts.vms.entryChanged(request.fromDirectory, request.fromName);
  m_parts.vms.entryChanged(request.toDirectory, request.toName);
}

Task<Result<Change>> ExportedVstorage::link(const Caller& caller, FileId fileid, FileId directory, std::string name) {
  if (auto writable = checkWritable(); !writable) co_return fail(writable.error());
  if (auto named = checkName(name); !named) co_return fail(named.error());
  const auto target = getAttributes(fileid);
  if (!target) co_return fail(target.error());
  const auto parent = directoryFor(directory);
  if (!parent) co_return fail(parent.error());
  if (auto allowed = checkAdd(caller, *parent); !allowed) co_return fail(allowed.error());
  if (auto admitted = admitSmall(); !admitted) co_return fail(admitted.error());
  auto linked = co_await m_parts.inodes.link(fileid, directory, name);
  if (linked) m_parts.vms.fileMoved(fileid);
  if (linked) m_parts.vms.entryChanged(directory, name);
  co_return linked;
}

}  // namespace quarry
