// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage_files.h"

#include <map>

namespace quarry {
namespace {

// As people type it: with or without slashes at the ends.
std::string trimmed(std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  return std::string(path);
}

bool isAtOrBelow(std::string_view path, std::string_view folder) {
  return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

}  // namespace

Result<void> VstorageFiles::check(const dedup::Selection& selection) const {
  if (selection.vm.empty()) return {};
  if (auto vm = m_vms.find(selection.vstorage, selection.vm); !vm) return fail(vm.error());
  return {};
}

Result<std::vector<dedup::SourceFile>> VstorageFiles::list(const dedup::Selection& selection) const {
  if (auto checked = check(selection); !checked) return fail(checked.error());
  auto listed = m_vstorages.listFiles(selection.vstorage);
  if (!listed) return fail(listed.error());

  const std::string path = trimmed(selection.path);
  std::map<std::string, protocol::Policy> policies;
  std::vector<dedup::SourceFile> files;
  for (auto& file : *listed) {
    if (!selection.vm.empty() && file.vm != selection.vm) continue;
    if (!path.empty() && !isAtOrBelow(file.path, path)) continue;
    auto known = policies.find(file.vstorage);
    if (known == policies.end()) {
      const auto policy = m_vstorages.policy(file.vstorage);
      if (!policy) continue;  // removed since it was listed
      known = policies.emplace(file.vstorage, *policy).first;
    }
    files.push_back({.fileid = file.fileid, .vstorage = file.vstorage, .vm = file.vm, .path = file.path, .sizeBytes = file.sizeBytes, .policy = known->second});
  }
  if (files.empty() && !path.empty()) {
    const std::string where = selection.vstorage.empty() ? "any vstorage" : "vstorage " + selection.vstorage;
    return fail(ErrorCode::NotFound, "no file at or below '" + path + "' in " + where + "; paths are inside the vstorage, such as web or web/disk.vmdk");
  }
  return files;
}

Task<Result<std::shared_ptr<FileData>>> VstorageFiles::open(metadata::FileId fileid) {
  if (!m_inodes.get(fileid)) co_return fail(ErrorCode::Stale, "the file was removed");
  const auto file = m_files.get(fileid);
  // A job works on what has landed. What cannot land now is for the next run.
  if (m_destager && !file->dirty().isEmpty()) (void)co_await m_destager->destage(file, {});
  co_return std::shared_ptr<FileData>(file);
}

std::optional<uint64_t> VstorageFiles::truncateCounter(metadata::FileId fileid) const {
  const auto inode = m_inodes.get(fileid);
  if (!inode || inode->pendingTruncate) return std::nullopt;
  const auto file = m_files.find(fileid);
  const uint64_t cutCount = file ? file->cutCount() : 0;
  if (cutCount % 2 != 0) return std::nullopt;
  return inode->truncateCounter << 32 | cutCount;
}

Result<void> VstorageFiles::checkWritable() const {
  if (!m_health.isReadOnly()) return {};
  return fail(ErrorCode::ReadOnly, "the store is read-only: " + m_health.reason());
}

}  // namespace quarry
