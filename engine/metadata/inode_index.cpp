// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/inode_index.h"

#include "engine/base/check.h"

namespace quarry::metadata {

namespace {
constexpr int pathDepthMax = 4096;  // a damaged parent chain must not hang us
}

Result<void> checkName(std::string_view name) {
  if (name.empty()) return fail(ErrorCode::InvalidArgument, "a name must not be empty");
  if (name.size() > nameBytesMax) return fail(ErrorCode::NameTooLong, "a name of " + std::to_string(name.size()) + " bytes is too long; 255 are allowed");
  if (name == "." || name == "..") return fail(ErrorCode::InvalidArgument, "\".\" and \"..\" cannot be changed");
  if (name.find('/') != std::string_view::npos) return fail(ErrorCode::InvalidArgument, "a name must not contain \"/\"");
  if (name.find('\0') != std::string_view::npos) return fail(ErrorCode::InvalidArgument, "a name must not contain a NUL byte");
  return {};
}

void DirectoryIndex::insert(uint64_t cookie, EntryValue value) {
  const auto [entry, isNew] = m_byCookie.emplace(cookie, std::move(value));
  QUARRY_CHECK(isNew);
  QUARRY_CHECK(m_byName.emplace(entry->second.name, cookie).second);
}

void DirectoryIndex::erase(uint64_t cookie) {
  const auto entry = m_byCookie.find(cookie);
  QUARRY_CHECK(entry != m_byCookie.end());
  m_byName.erase(entry->second.name);
  m_byCookie.erase(entry);
}

std::optional<uint64_t> DirectoryIndex::cookieOf(std::string_view name) const {
  const auto found = m_byName.find(name);
  if (found == m_byName.end()) return std::nullopt;
  return found->second;
}

InodeRecord* InodeIndex::find(FileId fileid) {
  const auto found = m_inodes.find(fileid);
  return found == m_inodes.end() ? nullptr : &found->second;
}

const InodeRecord* InodeIndex::find(FileId fileid) const {
  const auto found = m_inodes.find(fileid);
  return found == m_inodes.end() ? nullptr : &found->second;
}

Result<const InodeRecord*> InodeIndex::directory(FileId fileid) const {
  const InodeRecord* record = find(fileid);
  if (!record) return fail(ErrorCode::Stale, "directory " + std::to_string(fileid) + " is gone");
  if (!record->directory) return fail(ErrorCode::NotDirectory, "\"" + path(fileid) + "\" is not a directory");
  return record;
}

const InodeRecord* InodeIndex::child(const InodeRecord& directory, std::string_view name) const {
  const auto cookie = directory.directory->cookieOf(name);
  return cookie ? find(directory.directory->byCookie().at(*cookie).fileid) : nullptr;
}

InodeRecord& InodeIndex::addInode(Inode inode, std::string symlinkTarget) {
  InodeRecord record;
  record.durableSize = inode.size;
  record.symlinkTarget = std::move(symlinkTarget);
  if (inode.type == FileType::Directory) record.directory = std::make_unique<DirectoryIndex>();
  const FileId fileid = inode.fileid;
  ++m_inodeCounts[inode.vstorage];
  record.inode = std::move(inode);
  const auto [found, isNew] = m_inodes.emplace(fileid, std::move(record));
  QUARRY_CHECK(isNew);
  return found->second;
}

InodeRecord InodeIndex::takeInode(FileId fileid) {
  auto node = m_inodes.extract(fileid);
  QUARRY_CHECK(node);
  const auto count = m_inodeCounts.find(node.mapped().inode.vstorage);
  if (--count->second == 0) m_inodeCounts.erase(count);
  return std::move(node.mapped());
}

void InodeIndex::addEntry(FileId directory, uint64_t cookie, EntryValue value) {
  InodeRecord* target = find(value.fileid);
  if (target && target->inode.parent == directory && cookie > target->nameCookie) target->nameCookie = cookie;
  find(directory)->directory->insert(cookie, std::move(value));
}

void InodeIndex::eraseEntry(FileId directory, uint64_t cookie) { find(directory)->directory->erase(cookie); }

void InodeIndex::setEntryTarget(FileId directory, uint64_t cookie, FileId fileid) {
  find(directory)->directory->setTarget(cookie, fileid);
  if (InodeRecord* target = find(fileid)) target->nameCookie = cookie;
}

std::optional<std::pair<FileId, uint64_t>> InodeIndex::otherEntry(FileId fileid, uint64_t exceptCookie) const {
  std::optional<std::pair<FileId, uint64_t>> newest;
  for (const auto& [directoryId, record] : m_inodes) {
    if (!record.directory) continue;
    for (const auto& [cookie, value] : record.directory->byCookie()) {
      const bool better = value.fileid == fileid && cookie != exceptCookie && (!newest || cookie > newest->second);
      if (better) newest = {directoryId, cookie};
    }
  }
  return newest;
}

bool InodeIndex::isBelow(FileId directory, FileId ancestor) const {
  for (int depth = 0; depth < pathDepthMax; ++depth) {
    if (directory == ancestor) return true;
    const InodeRecord* record = find(directory);
    if (!record || record->inode.parent == directory) return false;
    directory = record->inode.parent;
  }
  return true;  // deeper than anything may become
}

std::string InodeIndex::path(FileId fileid) const {
  std::string path;
  const InodeRecord* record = find(fileid);
  for (int depth = 0; record && record->inode.parent != record->inode.fileid && depth < pathDepthMax; ++depth) {
    const InodeRecord* parent = find(record->inode.parent);
    if (!parent || !parent->directory) break;
    const auto entry = parent->directory->byCookie().find(record->nameCookie);
    const std::string name = entry == parent->directory->byCookie().end() ? "?" : entry->second.name;
    path = path.empty() ? name : name + "/" + path;
    record = parent;
  }
  return path;
}

uint64_t InodeIndex::fileCount(VstorageId id) const {
  const auto count = m_inodeCounts.find(id);
  return count == m_inodeCounts.end() ? 0 : count->second - 1;
}

}  // namespace quarry::metadata
