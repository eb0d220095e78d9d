// SPDX-License-Identifier: GPL-3.0-or-later
// A mounted NFSv3 export as seen by libnfs, for the tools that copy, compare and torment from outside. One thread per session.
// Paths start with '/' and are inside the export. Failure: IoError with what libnfs says and the path; a session whose server went
// away stays broken (no silent reconnect), so that an unanswered call is never taken for an answered one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"

struct nfs_context;
struct nfsfh;

namespace quarry::test {

struct NfsEntry {
  std::string path;
  bool isDirectory = false;
  uint64_t size = 0;
  uint64_t fileid = 0;
};

// An open file; closed when destroyed. Must not outlive its session.
class NfsFile {
 public:
  NfsFile(nfs_context* nfs, nfsfh* handle, std::string path) : m_nfs(nfs), m_handle(handle), m_path(std::move(path)) {}
  NfsFile(const NfsFile&) = delete;
  NfsFile& operator=(const NfsFile&) = delete;
  ~NfsFile();

  Result<void> write(uint64_t offset, Bytes data);
  Result<uint64_t> read(uint64_t offset, MutableBytes into);  // fewer bytes only at the end of the file
  Result<void> resize(uint64_t size);
  Result<void> commit();
  Result<uint64_t> size();

 private:
  nfs_context* m_nfs;
  nfsfh* m_handle;
  std::string m_path;
};

class NfsSession {
 public:
  // `url`: nfs://HOST/EXPORT?nfsport=P&mountport=P
  static Result<std::unique_ptr<NfsSession>> mount(const std::string& url);
  explicit NfsSession(nfs_context* nfs) : m_nfs(nfs) {}
  NfsSession(const NfsSession&) = delete;
  NfsSession& operator=(const NfsSession&) = delete;
  ~NfsSession();

  enum class Writes { Unstable, Stable };
  Result<std::unique_ptr<NfsFile>> create(const std::string& path, Writes writes);  // truncates what is there
  Result<std::unique_ptr<NfsFile>> openToWrite(const std::string& path, Writes writes);
  Result<std::unique_ptr<NfsFile>> openToRead(const std::string& path);
  Result<void> makeDirectory(const std::string& path);  // fine when it is there
  Result<void> rename(const std::string& from, const std::string& to);
  Result<void> remove(const std::string& path);
  Result<std::vector<NfsEntry>> list(const std::string& directory);     // one level
  Result<std::vector<NfsEntry>> listTree(const std::string& directory);  // everything below, folders before their contents

 private:
  nfs_context* m_nfs;
};

}  // namespace quarry::test
