// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs_service.h"

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
  const rpc::Credential& credential = context.call.credential;
  Caller caller = vstorage->squash({credential.uid, credential.gid, credential.groups});
  return Target{std::move(vstorage), std::move(caller), std::move(*inode)};
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
