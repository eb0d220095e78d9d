// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/nfs_session.h"

#include <fcntl.h>
#include <nfsc/libnfs.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <string_view>

#include "engine/base/mutex.h"

namespace quarry::test {

namespace {
constexpr uint64_t callBytesMax = 1024 * 1024;

// A call that a broken connection ended stays in libnfs's queue and points into a stack frame that is gone; closing a file or ending the
// context would call back into it. So the remains of a broken session are left where they are until the program ends.
class BrokenContexts {
 public:
  void add(nfs_context* nfs) {
    const Lock lock(m_mutex);
    m_contexts.insert(nfs);
  }
  bool contains(nfs_context* nfs) const {
    const Lock lock(m_mutex);
    return m_contexts.contains(nfs);
  }

 private:
  mutable Mutex m_mutex;
  std::set<nfs_context*> m_contexts GUARDED_BY(m_mutex);
};
BrokenContexts brokenContexts;

// `result`: what libnfs returned, a negative errno or -1; its own text may be empty.
tl::unexpected<Error> nfsFailure(nfs_context* nfs, const std::string& what, int result = -1) {
  const char* reason = nfs_get_error(nfs);
  if (reason && std::string_view(reason).find("nfs_service failed") != std::string_view::npos) brokenContexts.add(nfs);
  const std::string cause = result < -1 ? std::string(" (") + std::strerror(-result) + ")" : std::string();
  return fail(ErrorCode::IoError, what + ": " + (reason ? reason : "unknown error") + cause);
}

// libnfs's buffers are char; the read and write calls of version 4 take them without const.
char* asChars(std::byte* bytes) { return reinterpret_cast<char*>(bytes); }
}  // namespace

NfsFile::~NfsFile() {
  if (!brokenContexts.contains(m_nfs)) nfs_close(m_nfs, m_handle);
}

Result<void> NfsFile::write(uint64_t offset, Bytes data) {
  while (!data.empty()) {
    const uint64_t count = std::min<uint64_t>(data.size(), callBytesMax);
    const int written = nfs_pwrite(m_nfs, m_handle, offset, count, asChars(const_cast<std::byte*>(data.data())));
    if (written <= 0) return nfsFailure(m_nfs, "write " + m_path, written);
    offset += static_cast<uint64_t>(written);
    data = data.subspan(static_cast<size_t>(written));
  }
  return {};
}

Result<uint64_t> NfsFile::read(uint64_t offset, MutableBytes into) {
  uint64_t done = 0;
  while (done < into.size()) {
    const uint64_t count = std::min<uint64_t>(into.size() - done, callBytesMax);
    const int got = nfs_pread(m_nfs, m_handle, offset + done, count, asChars(into.data() + done));
    if (got < 0) return nfsFailure(m_nfs, "read " + m_path + " at " + std::to_string(offset + done), got);
    if (got == 0) break;
    done += static_cast<uint64_t>(got);
  }
  return done;
}

Result<void> NfsFile::resize(uint64_t size) {
  if (nfs_ftruncate(m_nfs, m_handle, size) != 0) return nfsFailure(m_nfs, "set size of " + m_path);
  return {};
}

Result<void> NfsFile::commit() {
  if (nfs_fsync(m_nfs, m_handle) != 0) return nfsFailure(m_nfs, "commit " + m_path);
  return {};
}

Result<uint64_t> NfsFile::size() {
  nfs_stat_64 attributes;
  if (nfs_fstat64(m_nfs, m_handle, &attributes) != 0) return nfsFailure(m_nfs, "attributes of " + m_path);
  return attributes.nfs_size;
}

Result<std::unique_ptr<NfsSession>> NfsSession::mount(const std::string& url) {
  nfs_context* nfs = nfs_init_context();
  if (!nfs) return fail(ErrorCode::Internal, "libnfs gives no context");
  auto session = std::make_unique<NfsSession>(nfs);
  nfs_url* parsed = nfs_parse_url_dir(nfs, url.c_str());
  if (!parsed) return fail(ErrorCode::InvalidArgument, url + " is no nfs:// URL: " + nfs_get_error(nfs));
  nfs_set_autoreconnect(nfs, 0);
  nfs_set_timeout(nfs, 60'000);
  const int mounted = nfs_mount(nfs, parsed->server, parsed->path);
  const std::string path = parsed->path;
  nfs_destroy_url(parsed);
  if (mounted != 0) return nfsFailure(nfs, "mount " + path);
  return session;
}

NfsSession::~NfsSession() {
  if (!brokenContexts.contains(m_nfs)) nfs_destroy_context(m_nfs);
}

Result<std::unique_ptr<NfsFile>> NfsSession::create(const std::string& path, Writes writes) {
  nfsfh* handle = nullptr;
  if (nfs_creat(m_nfs, path.c_str(), 0644, &handle) != 0) return nfsFailure(m_nfs, "create " + path);
  if (writes == Writes::Unstable) return std::make_unique<NfsFile>(m_nfs, handle, path);
  nfs_close(m_nfs, handle);
  return openToWrite(path, writes);
}

Result<std::unique_ptr<NfsFile>> NfsSession::openToWrite(const std::string& path, Writes writes) {
  nfsfh* handle = nullptr;
  const int flags = O_RDWR | (writes == Writes::Stable ? O_SYNC : 0);
  if (nfs_open(m_nfs, path.c_str(), flags, &handle) != 0) return nfsFailure(m_nfs, "open " + path);
  return std::make_unique<NfsFile>(m_nfs, handle, path);
}

Result<std::unique_ptr<NfsFile>> NfsSession::openToRead(const std::string& path) {
  nfsfh* handle = nullptr;
  if (nfs_open(m_nfs, path.c_str(), O_RDONLY, &handle) != 0) return nfsFailure(m_nfs, "open " + path);
  return std::make_unique<NfsFile>(m_nfs, handle, path);
}

Result<void> NfsSession::makeDirectory(const std::string& path) {
  const int made = nfs_mkdir(m_nfs, path.c_str());
  if (made != 0 && made != -EEXIST) return nfsFailure(m_nfs, "make folder " + path);
  return {};
}

Result<void> NfsSession::rename(const std::string& from, const std::string& to) {
  if (nfs_rename(m_nfs, from.c_str(), to.c_str()) != 0) return nfsFailure(m_nfs, "rename " + from + " to " + to);
  return {};
}

Result<void> NfsSession::remove(const std::string& path) {
  if (nfs_unlink(m_nfs, path.c_str()) != 0) return nfsFailure(m_nfs, "remove " + path);
  return {};
}

Result<std::vector<NfsEntry>> NfsSession::list(const std::string& directory) {
  nfsdir* open = nullptr;
  if (nfs_opendir(m_nfs, directory.c_str(), &open) != 0) return nfsFailure(m_nfs, "list " + directory);
  std::vector<NfsEntry> entries;
  while (const nfsdirent* entry = nfs_readdir(m_nfs, open)) {
    const std::string name = entry->name;
    if (name == "." || name == "..") continue;
    const std::string path = (directory == "/" ? "" : directory) + "/" + name;
    entries.push_back({.path = path, .isDirectory = S_ISDIR(entry->mode), .size = entry->size, .fileid = entry->inode});
  }
  nfs_closedir(m_nfs, open);
  std::sort(entries.begin(), entries.end(), [](const NfsEntry& a, const NfsEntry& b) { return a.path < b.path; });
  return entries;
}

Result<std::vector<NfsEntry>> NfsSession::listTree(const std::string& directory) {
  auto level = list(directory);
  if (!level) return level;
  std::vector<NfsEntry> all;
  for (NfsEntry& entry : *level) {
    all.push_back(entry);
    if (!entry.isDirectory) continue;
    auto below = listTree(entry.path);
    if (!below) return below;
    all.insert(all.end(), below->begin(), below->end());
  }
  return all;
}

}  // namespace quarry::test
