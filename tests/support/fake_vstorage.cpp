// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_vstorage.h"

#include <algorithm>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <utility>

#include "engine/base/bytes.h"

namespace quarry::test {

using metadata::AttributeChange;
using metadata::CreateMode;
using metadata::FileType;

namespace {
Task<void> delay(int ms) {
  if (ms == 0) co_return;
  asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::milliseconds(ms));
  co_await timer.async_wait(asio::use_awaitable);
}

void apply(Inode& inode, const AttributeChange& change) {
  inode.mode = change.mode.value_or(inode.mode);
  inode.uid = change.uid.value_or(inode.uid);
  inode.gid = change.gid.value_or(inode.gid);
  inode.accessed = change.accessed.value_or(inode.accessed);
  inode.modified = change.modified.value_or(inode.modified);
}

Error stale() { return {ErrorCode::Stale, "gone"}; }
}  // namespace

FakeVstorage::FakeVstorage(metadata::VstorageId id, std::string name) : m_id(id), m_name(std::move(name)), m_root(id * 1000 + 2) {
  Lock lock(m_mutex);
  m_nextFileid = m_root + 1;
  Inode inode = makeInode(m_root, FileType::Directory);
  inode.mode = 0777;
  inode.size = 4096;
  inode.parent = m_root;
  inode.accessed = inode.modified = inode.changed = tick();
  m_nodes[m_root].inode = inode;
}

Inode FakeVstorage::makeInode(FileId fileid, FileType type) const {
  Inode inode;
  inode.fileid = fileid;
  inode.vstorage = m_id;
  inode.generation = 77;
  inode.type = type;
  inode.linkCount = type == FileType::Directory ? 2 : 1;
  return inode;
}

Timestamp FakeVstorage::tick() { return {++m_now}; }

Caller FakeVstorage::squash(Caller caller) const {
  if (squashesRoot && caller.uid == 0) return {};
  return caller;
}

Result<const FakeVstorage::Node*> FakeVstorage::node(FileId fileid) const {
  const auto found = m_nodes.find(fileid);
  if (isGone || found == m_nodes.end()) return fail(stale());
  return &found->second;
}

Result<FakeVstorage::Node*> FakeVstorage::node(FileId fileid) {
  const auto found = m_nodes.find(fileid);
  if (isGone || found == m_nodes.end()) return fail(stale());
  return &found->second;
}

bool FakeVstorage::may(const Caller& caller, const Inode& inode, uint32_t bit) {
  if (caller.uid == 0) return true;
  const bool inGroup = caller.gid == inode.gid || std::count(caller.groups.begin(), caller.groups.end(), inode.gid) > 0;
  const uint32_t shift = caller.uid == inode.uid ? 6 : inGroup ? 3 : 0;
  return (inode.mode >> shift & bit) == bit;
}

Result<FakeVstorage::Node*> FakeVstorage::writableDirectory(const Caller& caller, FileId fileid) {
  Result<Node*> directory = node(fileid);
  if (!directory) return directory;
  if ((*directory)->inode.type != FileType::Directory) return fail(ErrorCode::NotDirectory, "not a directory");
  if (isReadOnly) return fail(ErrorCode::ReadOnly, "read-only");
  if (!may(caller, (*directory)->inode, 3)) return fail(ErrorCode::AccessDenied, "no write permission");
  return directory;
}

Change FakeVstorage::touch(Node& node) {
  Change change{node.inode, {}};
  node.inode.modified = node.inode.changed = tick();
  change.after = node.inode;
  return change;
}

Result<Inode> FakeVstorage::getAttributes(FileId fileid) const {
  Lock lock(m_mutex);
  const auto found = node(fileid);
  if (!found) return fail(found.error());
  return (*found)->inode;
}

uint32_t FakeVstorage::access(const Caller& caller, const Inode& inode, uint32_t wanted) const {
  uint32_t granted = 0;
  const bool directory = inode.type == FileType::Directory;
  if (may(caller, inode, 4)) granted |= AccessRead;
  if (may(caller, inode, 2)) granted |= AccessModify | AccessExtend | (directory ? uint32_t{AccessDelete} : 0);
  if (may(caller, inode, 1)) granted |= directory ? AccessLookup : AccessExecute;
  return granted & wanted;
}

Result<Inode> FakeVstorage::lookup(const Caller& caller, FileId directory, std::string_view name) const {
  Lock lock(m_mutex);
  const auto found = node(directory);
  if (!found) return fail(found.error());
  const Node& folder = **found;
  if (folder.inode.type != FileType::Directory) return fail(ErrorCode::NotDirectory, "not a directory");
  if (!may(caller, folder.inode, 1)) return fail(ErrorCode::AccessDenied, "no search permission");
  if (name == ".") return folder.inode;
  if (name == "..") return m_nodes.at(folder.inode.parent).inode;
  const auto entry = folder.entries.find(name);
  if (entry == folder.entries.end()) return fail(ErrorCode::NotFound, "no such entry");
  return m_nodes.at(entry->second.fileid).inode;
}

Result<std::string> FakeVstorage::readLink(const Caller&, FileId fileid) const {
  Lock lock(m_mutex);
  const auto found = node(fileid);
  if (!found) return fail(found.error());
  if ((*found)->inode.type != FileType::Symlink) return fail(ErrorCode::InvalidArgument, "not a symbolic link");
  return (*found)->target;
}

Result<DirectoryPage> FakeVstorage::readDirectory(const Caller& caller, FileId directory, uint64_t cookie, size_t entryCountMax) const {
  Lock lock(m_mutex);
  const auto found = node(directory);
  if (!found) return fail(found.error());
  const Node& folder = **found;
  if (folder.inode.type != FileType::Directory) return fail(ErrorCode::NotDirectory, "not a directory");
  if (!may(caller, folder.inode, 4)) return fail(ErrorCode::AccessDenied, "no read permission");
  std::vector<DirectoryPage::Entry> all{{".", 1, folder.inode}, {"..", 2, m_nodes.at(folder.inode.parent).inode}};
  for (const auto& [name, entry] : folder.entries) all.push_back({name, entry.cookie, m_nodes.at(entry.fileid).inode});
  std::sort(all.begin(), all.end(), [](const auto& left, const auto& right) { return left.cookie < right.cookie; });
  DirectoryPage page;
  for (auto& entry : all) {
    if (entry.cookie <= cookie) continue;
    if (page.entries.size() == entryCountMax) return page;
    page.entries.push_back(std::move(entry));
  }
  page.atEnd = true;
  return page;
}

VstorageSpace FakeVstorage::space() const { return {uint64_t{1} << 41, freeBytesLeft, freeBytesLeft, 1 << 20, 1 << 19}; }

Task<Result<ReadReply>> FakeVstorage::read(const Caller& caller, FileId fileid, uint64_t offset, uint32_t count) {
  Lock lock(m_mutex);
  const auto found = node(fileid);
  if (!found) co_return fail(found.error());
  const Node& file = **found;
  if (!may(caller, file.inode, 4) && caller.uid != file.inode.uid) co_return fail(ErrorCode::AccessDenied, "no read permission");
  ReadReply reply;
  reply.inode = file.inode;
  reply.count = offset >= file.inode.size ? 0 : static_cast<uint32_t>(std::min<uint64_t>(count, file.inode.size - offset));
  reply.eof = offset >= file.inode.size || offset + reply.count == file.inode.size;
  reply.firstByte = static_cast<uint32_t>(offset % blockBytes);
  reply.buffer = AlignedBuffer(reply.firstByte + reply.count);
  reply.buffer.clear();
  for (uint64_t at = alignDown(offset, blockBytes); reply.count > 0 && at < offset + reply.count; at += blockBytes) {
    const auto block = file.blocks.find(at / blockBytes);
    if (block == file.blocks.end()) continue;
    const size_t to = at - alignDown(offset, blockBytes);
    std::memcpy(reply.buffer.data() + to, block->second.data(), std::min<size_t>(blockBytes, reply.buffer.size() - to));
  }
  co_return reply;
}

Task<Result<WriteReply>> FakeVstorage::write(const Caller& caller, WriteRequest request) {
  co_await delay(writeDelayMs);
  Lock lock(m_mutex);
  const auto found = node(request.fileid);
  if (!found) co_return fail(found.error());
  if (isReadOnly) co_return fail(ErrorCode::ReadOnly, "read-only");
  Node& file = **found;
  if (!may(caller, file.inode, 2) && caller.uid != file.inode.uid) co_return fail(ErrorCode::AccessDenied, "no write permission");
  if (request.data.size() > freeBytesLeft) co_return fail(ErrorCode::NoSpace, "full");
  if (request.data.size() > quotaBytesLeft) co_return fail(ErrorCode::QuotaExceeded, "quota used up");
  for (size_t done = 0; done < request.data.size();) {
    const uint64_t at = request.offset + done;
    auto& block = file.blocks[at / blockBytes];
    block.resize(blockBytes);
    const size_t count = std::min<size_t>(blockBytes - at % blockBytes, request.data.size() - done);
    std::memcpy(block.data() + at % blockBytes, request.data.data() + done, count);
    done += count;
  }
  WriteReply reply;
  reply.change.before = file.inode;
  file.inode.size = std::max(file.inode.size, request.offset + request.data.size());
  file.inode.usedBytes = file.blocks.size() * blockBytes;
  reply.change.after = touch(file).after;
  reply.count = static_cast<uint32_t>(request.data.size());
  reply.reached = request.stability;
  co_return reply;
}

Task<Result<Change>> FakeVstorage::commit(const Caller&, FileId fileid, uint64_t, uint32_t) {
  Lock lock(m_mutex);
  const auto found = node(fileid);
  if (!found) co_return fail(found.error());
  if (failCommits > 0) {
    --failCommits;
    co_return fail(ErrorCode::IoError, "sync failed");
  }
  co_return Change{(*found)->inode, (*found)->inode};
}

void FakeVstorage::resize(Node& node, uint64_t size) {
  if (size < node.inode.size) {
    node.blocks.erase(node.blocks.lower_bound(alignUp(size, blockBytes) / blockBytes), node.blocks.end());
    const auto last = node.blocks.find(size / blockBytes);
    if (last != node.blocks.end()) std::fill(last->second.begin() + static_cast<ptrdiff_t>(size % blockBytes), last->second.end(), std::byte{0});
  }
  node.inode.size = size;
  node.inode.usedBytes = node.blocks.size() * blockBytes;
}

Task<Result<Change>> FakeVstorage::setAttributes(const Caller& caller, FileId fileid, AttributeChange change) {
  Lock lock(m_mutex);
  const auto found = node(fileid);
  if (!found) co_return fail(found.error());
  if (isReadOnly) co_return fail(ErrorCode::ReadOnly, "read-only");
  Node& changed = **found;
  if (caller.uid != 0 && caller.uid != changed.inode.uid) co_return fail(ErrorCode::NotPermitted, "not the owner");
  if (change.guardChanged && *change.guardChanged != changed.inode.changed) co_return fail(ErrorCode::NotSync, "changed meanwhile");
  Change result{changed.inode, {}};
  apply(changed.inode, change);
  if (change.size) resize(changed, *change.size);
  changed.inode.changed = tick();
  result.after = changed.inode;
  co_return result;
}

Result<Created> FakeVstorage::reuseExisting(const CreateRequest& request, Node& directory, FileId fileid) {
  const Inode& existing = m_nodes.at(fileid).inode;
  const bool sameVerifier = existing.createVerifier && existing.createVerifier == request.verifier;
  const bool reuse = request.type == FileType::Regular &&
                     (request.createMode == CreateMode::Unchecked || (request.createMode == CreateMode::Exclusive && sameVerifier));
  if (!reuse) return fail(ErrorCode::Exists, "exists");
  return Created{existing, false, {directory.inode, directory.inode}};
}

Task<Result<Created>> FakeVstorage::create(const Caller& caller, CreateRequest request) {
  ++createCount;
  co_await delay(createDelayMs);
  Lock lock(m_mutex);
  const auto parent = writableDirectory(caller, request.directory);
  if (!parent) co_return fail(parent.error());
  Node& directory = **parent;
  if (const auto existing = directory.entries.find(request.name); existing != directory.entries.end())
    co_return reuseExisting(request, directory, existing->second.fileid);
  Node made;
  made.inode = makeInode(m_nextFileid++, request.type);
  made.inode.uid = caller.uid;
  made.inode.gid = caller.gid;
  made.inode.accessed = made.inode.modified = made.inode.changed = tick();
  apply(made.inode, request.attributes);
  if (request.type == FileType::Regular) resize(made, request.attributes.size.value_or(0));
  made.inode.deviceMajor = request.deviceMajor;
  made.inode.deviceMinor = request.deviceMinor;
  made.inode.parent = request.directory;
  made.inode.createVerifier = request.verifier;
  made.target = request.symlinkTarget;
  if (request.type == FileType::Symlink) made.inode.size = made.target.size();
  const Inode inode = made.inode;
  m_nodes[inode.fileid] = std::move(made);
  directory.entries[request.name] = {inode.fileid, m_nextCookie++};
  co_return Created{inode, true, touch(directory)};
}

// Takes the name away; the inode goes with its last name.
Inode FakeVstorage::unlink(Node& directory, const std::string& name) {
  const auto entry = directory.entries.find(name);
  Node& removed = m_nodes.at(entry->second.fileid);
  directory.entries.erase(entry);
  removed.inode.linkCount = removed.inode.type == FileType::Directory ? 0 : removed.inode.linkCount - 1;
  removed.inode.changed = tick();
  const Inode inode = removed.inode;
  if (inode.linkCount == 0) m_nodes.erase(inode.fileid);
  return inode;
}

Result<Removed> FakeVstorage::removeEntry(const Caller& caller, FileId fileid, const std::string& name, bool wantDirectory) {
  Lock lock(m_mutex);
  ++removeCount;
  const auto parent = writableDirectory(caller, fileid);
  if (!parent) return fail(parent.error());
  Node& directory = **parent;
  const auto entry = directory.entries.find(name);
  if (entry == directory.entries.end()) return fail(ErrorCode::NotFound, "no such entry");
  const Node& removed = m_nodes.at(entry->second.fileid);
  const bool isDirectory = removed.inode.type == FileType::Directory;
  if (isDirectory && !wantDirectory) return fail(ErrorCode::IsDirectory, "a directory");
  if (!isDirectory && wantDirectory) return fail(ErrorCode::NotDirectory, "not a directory");
  if (!removed.entries.empty()) return fail(ErrorCode::NotEmpty, "not empty");
  const Inode inode = unlink(directory, name);
  return Removed{touch(directory), inode};
}

Task<Result<Removed>> FakeVstorage::remove(const Caller& caller, FileId directory, std::string name) { co_return removeEntry(caller, directory, name, false); }

Task<Result<Removed>> FakeVstorage::removeDirectory(const Caller& caller, FileId directory, std::string name) {
  co_return removeEntry(caller, directory, name, true);
}

bool FakeVstorage::isBelow(FileId candidate, FileId ancestor) const {
  while (candidate != ancestor && candidate != m_root) candidate = m_nodes.at(candidate).inode.parent;
  return candidate == ancestor;
}

Result<void> FakeVstorage::checkReplaced(const Node& moved, const Node& directory, const std::string& name) {
  const auto target = directory.entries.find(name);
  if (target == directory.entries.end()) return {};
  const Node& replaced = m_nodes.at(target->second.fileid);
  const bool movesDirectory = moved.inode.type == FileType::Directory, replacesDirectory = replaced.inode.type == FileType::Directory;
  if (movesDirectory && !replacesDirectory) return fail(ErrorCode::NotDirectory, "not a directory");
  if (!movesDirectory && replacesDirectory) return fail(ErrorCode::IsDirectory, "a directory");
  if (!replaced.entries.empty()) return fail(ErrorCode::NotEmpty, "not empty");
  return {};
}

Task<Result<Renamed>> FakeVstorage::rename(const Caller& caller, RenameRequest request) {
  Lock lock(m_mutex);
  const auto from = writableDirectory(caller, request.fromDirectory), to = writableDirectory(caller, request.toDirectory);
  if (!from) co_return fail(from.error());
  if (!to) co_return fail(to.error());
  const auto entry = (*from)->entries.find(request.fromName);
  if (entry == (*from)->entries.end()) co_return fail(ErrorCode::NotFound, "no such entry");
  const Entry moving = entry->second;
  Node& moved = m_nodes.at(moving.fileid);
  if (moved.inode.type == FileType::Directory && isBelow(request.toDirectory, moving.fileid)) co_return fail(ErrorCode::InvalidArgument, "below itself");
  if (auto allowed = checkReplaced(moved, **to, request.toName); !allowed) co_return fail(allowed.error());
  Renamed renamed;
  const auto target = (*to)->entries.find(request.toName);
  const bool same = target != (*to)->entries.end() && target->second.fileid == moving.fileid;
  if (!same && target != (*to)->entries.end()) renamed.replaced = unlink(**to, request.toName);
  if (!same) {
    (*from)->entries.erase(request.fromName);
    (*to)->entries[request.toName] = {moving.fileid, m_nextCookie++};
    moved.inode.parent = request.toDirectory;
  }
  moved.inode.changed = tick();
  renamed.moved = moved.inode;
  renamed.fromDirectory = touch(**from);
  renamed.toDirectory = touch(**to);
  co_return renamed;
}

Task<Result<Change>> FakeVstorage::link(const Caller& caller, FileId fileid, FileId directory, std::string name) {
  Lock lock(m_mutex);
  const auto parent = writableDirectory(caller, directory);
  if (!parent) co_return fail(parent.error());
  const auto file = node(fileid);
  if (!file) co_return fail(file.error());
  if ((*file)->inode.type == FileType::Directory) co_return fail(ErrorCode::IsDirectory, "a directory");
  if ((*parent)->entries.contains(name)) co_return fail(ErrorCode::Exists, "exists");
  (*parent)->entries[name] = {fileid, m_nextCookie++};
  ++(*file)->inode.linkCount;
  (*file)->inode.changed = tick();
  co_return touch(**parent);
}

std::shared_ptr<FakeVstorage> FakeExportTable::add(metadata::VstorageId id, std::string name) {
  auto vstorage = std::make_shared<FakeVstorage>(id, name);
  Lock lock(m_mutex);
  m_vstorages[name] = vstorage;
  return vstorage;
}

void FakeExportTable::removeAll() {
  Lock lock(m_mutex);
  m_vstorages.clear();
}

std::shared_ptr<Vstorage> FakeExportTable::find(metadata::VstorageId id) const {
  Lock lock(m_mutex);
  for (const auto& [name, vstorage] : m_vstorages)
    if (vstorage->id() == id) return vstorage;
  return nullptr;
}

std::shared_ptr<Vstorage> FakeExportTable::find(std::string_view name) const {
  Lock lock(m_mutex);
  const auto found = m_vstorages.find(name);
  return found == m_vstorages.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<Vstorage>> FakeExportTable::all() const {
  Lock lock(m_mutex);
  std::vector<std::shared_ptr<Vstorage>> all;
  for (const auto& [name, vstorage] : m_vstorages) all.push_back(vstorage);
  return all;
}

void FakeExportTable::noteMount(std::string_view client, std::string_view path) {
  Lock lock(m_mutex);
  m_mounts.emplace_back(client, path);
}

void FakeExportTable::noteUnmount(std::string_view client, std::string_view path) {
  Lock lock(m_mutex);
  std::erase_if(m_mounts, [&](const auto& mount) { return mount.first == client && (path.empty() || mount.second == path); });
}

std::vector<std::pair<std::string, std::string>> FakeExportTable::mounts() const {
  Lock lock(m_mutex);
  return m_mounts;
}

}  // namespace quarry::test
