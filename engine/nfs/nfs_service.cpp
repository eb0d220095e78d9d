// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs_service.h"

#include <chrono>
#include <functional>
#include <string>

namespace quarry::nfs {

Result<Target> NfsService::resolve(const rpc::RequestContext& context, Bytes bytes) const {
  const Result<FileHandle> handle = m_handles.decode(bytes);
  if (!handle) return fail(handle.error());
  std::shared_ptr<Vstorage> vstorage = m_exports.find(handle->vstorage);
  if (!vstorage) return fail(ErrorCode::Stale, "the vstorage of this handle was removed");
  if (!vstorage->allowsClient(context.peer.address))
    return fail(ErrorCode::AccessDenied, context.peer.address + " may not use vstorage " + vstorage->name());
  Result<Inode> inode = vstorage->getAttributes(handle->fileid);
  if (!inode) return fail(inode.error());
  if (inode->generation != handle->generation) return fail(ErrorCode::Stale, "the file of this handle is gone");
  noteUse(context.peer.address, *vstorage);
  const rpc::Credential& credential = context.call.credential;
  Caller caller = vstorage->squash({credential.uid, credential.gid, credential.groups});
  return Target{std::move(vstorage), std::move(caller), std::move(*inode)};
}

// At most once a minute, so that hardly a request takes the lock behind it.
void NfsService::noteUse(const std::string& client, const Vstorage& vstorage) const {
  const auto minute = std::chrono::duration_cast<std::chrono::minutes>(m_clock.steady().time_since_epoch()).count();
  const uint64_t hash = std::hash<std::string>()(client) ^ vstorage.id() * 0x9e3779b97f4a7c15;
  std::atomic<uint64_t>& slot = m_noted[hash % m_noted.size()];
  const uint64_t noted = (hash & 0xffffffff00000000) | static_cast<uint32_t>(minute);
  if (slot.load(std::memory_order_relaxed) == noted) return;
  slot.store(noted, std::memory_order_relaxed);
  m_exports.noteUse(client, vstorage.name());
}

std::optional<Inode> attributesNow(const Target& target) {
  Result<Inode> inode = target.vstorage->getAttributes(target.inode.fileid);
  return inode ? std::optional(std::move(*inode)) : std::nullopt;
}

std::optional<Inode> attributesNow(const Result<Target>& target) { return target ? attributesNow(*target) : std::nullopt; }

Result<void> checkName(std::string_view name) {
  if (name.empty()) return fail(ErrorCode::InvalidArgument, "empty name");
  if (name.size() > nameBytesMax) return fail(ErrorCode::NameTooLong, "name of " + std::to_string(name.size()) + " bytes");
  if (name.find('/') != name.npos || name.find('\0') != name.npos) return fail(ErrorCode::InvalidArgument, "name with a slash or a zero byte");
  return {};
}

Result<void> checkNewName(std::string_view name) {
  if (name == "." || name == "..") return fail(ErrorCode::Exists, "'.' and '..' always exist");
  return checkName(name);
}

Result<void> checkOldName(std::string_view name) {
  if (name == "." || name == "..") return fail(ErrorCode::InvalidArgument, "'.' and '..' cannot be removed or renamed");
  return checkName(name);
}

Result<void> checkRegular(const Inode& inode) {
  if (inode.type == metadata::FileType::Regular) return {};
  if (inode.type == metadata::FileType::Directory) return fail(ErrorCode::IsDirectory, "a directory has no bytes");
  return fail(ErrorCode::InvalidArgument, "not a regular file");
}

Result<void> checkDirectory(const Inode& inode) {
  if (inode.type == metadata::FileType::Directory) return {};
  return fail(ErrorCode::NotDirectory, "not a directory");
}

}  // namespace quarry::nfs
