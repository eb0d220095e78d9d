// SPDX-License-Identifier: GPL-3.0-or-later
// A vstorage in memory behind the engine's interface: names, attributes, bytes and permissions as NFS clients expect them, nothing durable.
// Tests can hold writes back, make commits fail, and choose who may use it. Safe from any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/vstorage/export_table.h"

namespace quarry::test {

class FakeVstorage : public Vstorage {
 public:
  FakeVstorage(metadata::VstorageId id, std::string name);

  // --- what tests may turn
  std::atomic<bool> isReadOnly = false, allowsAll = true, squashesRoot = false, isGone = false;
  std::atomic<int> createDelayMs = 0, writeDelayMs = 0;      // before acting
  std::atomic<int> failCommits = 0;                          // the next n give IoError
  std::atomic<uint64_t> freeBytesLeft = uint64_t{1} << 40;   // writes that need more give NoSpace
  std::atomic<uint64_t> quotaBytesLeft = uint64_t{1} << 40;  // QuotaExceeded
  std::atomic<int> removeCount = 0, createCount = 0;         // calls that reached us

  metadata::VstorageId id() const override { return m_id; }
  std::string name() const override { return m_name; }
  FileId root() const override { return m_root; }
  bool readOnly() const override { return isReadOnly; }
  bool allowsClient(std::string_view) const override { return allowsAll; }
  Caller squash(Caller caller) const override;
  uint64_t writeVerifier() const override { return 0x1122334455667788; }

  Result<Inode> getAttributes(FileId fileid) const override;
  uint32_t access(const Caller& caller, const Inode& inode, uint32_t wanted) const override;
  Result<Inode> lookup(const Caller& caller, FileId directory, std::string_view name) const override;
  Result<std::string> readLink(const Caller& caller, FileId fileid) const override;
  Result<DirectoryPage> readDirectory(const Caller& caller, FileId directory, uint64_t cookie, size_t entryCountMax) const override;
  VstorageSpace space() const override;

  Task<Result<ReadReply>> read(const Caller& caller, FileId fileid, uint64_t offset, uint32_t count) override;
  Task<Result<WriteReply>> write(const Caller& caller, WriteRequest request) override;
  Task<Result<Change>> commit(const Caller& caller, FileId fileid, uint64_t offset, uint32_t count) override;
  Task<Result<Change>> setAttributes(const Caller& caller, FileId fileid, metadata::AttributeChange change) override;
  Task<Result<Created>> create(const Caller& caller, CreateRequest request) override;
  Task<Result<Removed>> remove(const Caller& caller, FileId directory, std::string name) override;
  Task<Result<Removed>> removeDirectory(const Caller& caller, FileId directory, std::string name) override;
  Task<Result<Renamed>> rename(const Caller& caller, RenameRequest request) override;
  Task<Result<Change>> link(const Caller& caller, FileId fileid, FileId directory, std::string name) override;

 private:
  struct Entry {
    FileId fileid = 0;
    uint64_t cookie = 0;
  };
  struct Node {
    Inode inode;
    std::map<uint64_t, std::vector<std::byte>> blocks;  // by block number; 4 KiB each
    std::map<std::string, Entry, std::less<>> entries;
    std::string target;
  };

  Inode makeInode(FileId fileid, metadata::FileType type) const;
  Result<const Node*> node(FileId fileid) const REQUIRES(m_mutex);
  Result<Node*> node(FileId fileid) REQUIRES(m_mutex);
  Result<Node*> writableDirectory(const Caller& caller, FileId fileid) REQUIRES(m_mutex);
  Change touch(Node& node) REQUIRES(m_mutex);
  static bool may(const Caller& caller, const Inode& inode, uint32_t bit);  // 4 read, 2 write, 1 execute
  Result<Created> reuseExisting(const CreateRequest& request, Node& directory, FileId fileid) REQUIRES(m_mutex);
  Inode unlink(Node& directory, const std::string& name) REQUIRES(m_mutex);
  Result<Removed> removeEntry(const Caller& caller, FileId directory, const std::string& name, bool wantDirectory) EXCLUDES(m_mutex);
  Result<void> checkReplaced(const Node& moved, const Node& directory, const std::string& name) REQUIRES(m_mutex);
  bool isBelow(FileId candidate, FileId ancestor) const REQUIRES(m_mutex);
  static void resize(Node& node, uint64_t size);
  Timestamp tick() REQUIRES(m_mutex);

  const metadata::VstorageId m_id;
  const std::string m_name;
  const FileId m_root;
  mutable Mutex m_mutex;
  std::map<FileId, Node> m_nodes GUARDED_BY(m_mutex);
  FileId m_nextFileid GUARDED_BY(m_mutex) = 0;
  uint64_t m_nextCookie GUARDED_BY(m_mutex) = 3;
  int64_t m_now GUARDED_BY(m_mutex) = 1'700'000'000'000'000'000;
};

class FakeExportTable : public ExportTable {
 public:
  std::shared_ptr<FakeVstorage> add(metadata::VstorageId id, std::string name);
  void removeAll();
  std::atomic<int> useCount = 0;

  std::shared_ptr<Vstorage> find(metadata::VstorageId id) const override;
  std::shared_ptr<Vstorage> find(std::string_view name) const override;
  std::vector<std::shared_ptr<Vstorage>> all() const override;
  void noteMount(std::string_view client, std::string_view path) override;
  void noteUse(std::string_view, std::string_view) override { ++useCount; }
  void noteUnmount(std::string_view client, std::string_view path) override;
  std::vector<std::pair<std::string, std::string>> mounts() const override;

 private:
  mutable Mutex m_mutex;
  std::map<std::string, std::shared_ptr<FakeVstorage>, std::less<>> m_vstorages GUARDED_BY(m_mutex);
  std::vector<std::pair<std::string, std::string>> m_mounts GUARDED_BY(m_mutex);
};

}  // namespace quarry::test
