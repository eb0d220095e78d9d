// SPDX-License-Identifier: GPL-3.0-or-later
// The Vstorage of one row of the namespace: permission checks, size and space checks, I/O records around InodeTable and StoredFile.
//
// Size and data of a file change under one lock (StoredFile::lock): a write holds its range until the new size is in the namespace; a
// change of size holds everything from the smaller size on. So an extending write comes wholly before or after a truncation.
// A file whose shortening failed half-way (pendingTruncate) takes no write beyond that size until it has been finished: the next start
// would repeat the shortening and cut off what was written since.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "engine/base/mutex.h"
#include "engine/vstorage/address_list.h"
#include "engine/vstorage/quota_meter.h"
#include "engine/vstorage/vstorage.h"
#include "engine/vstorage/vstorage_settings.h"
#include "engine/vstorage/vstorage_table.h"

namespace quarry {

class ExportedVstorage : public Vstorage {
 public:
  static constexpr uint32_t readBytesMax = 4 << 20;   // more is answered in part
  static constexpr uint64_t writeBytesMax = 16 << 20; // more is refused
  static constexpr uint64_t directBytesMin = 256 << 10;

  // REQUIRES: settings that checkSettings() accepts.
  ExportedVstorage(const VstorageTable::Parts& parts, const metadata::VstorageRow& row, VstorageSettings settings, AddressList clients);

  metadata::VstorageId id() const override { return m_id; }
  std::string name() const override { return m_name; }
  FileId root() const override { return m_root; }
  bool readOnly() const override;
  bool allowsClient(std::string_view address) const override;
  Caller squash(Caller caller) const override;
  uint64_t writeVerifier() const override { return m_parts.writeVerifier; }

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

  // --- for VstorageTable
  VstorageSettings settings() const;
  void apply(VstorageSettings settings, AddressList clients);
  void markRemoved() { m_removed.store(true); }
  // After apply() with another write mode, before anybody is told that it counts.
  Task<Result<void>> settleWriteMode();
  Task<Result<uint64_t>> flush();  // everything dirty now is in landing files on return; bytes
  cache::CacheAccount& account() const { return *m_account; }

 private:
  struct Live {
    VstorageSettings settings;
    AddressList clients;
    // Answers given already: every call asks for its client.
    mutable Mutex mutex;
    mutable std::map<std::string, bool, std::less<>> known GUARDED_BY(mutex);

    Live(VstorageSettings s, AddressList c) : settings(std::move(s)), clients(std::move(c)) {}
    bool allows(std::string_view address) const;
  };
  std::shared_ptr<const Live> live() const;

  Result<Inode> regularFile(FileId fileid) const;   // IsDirectory, InvalidArgument for what has no data
  Result<Inode> directoryFor(FileId fileid) const;  // NotDirectory
  Result<void> checkWritable() const;
  Result<void> admitSmall();
  void tellMoved(const RenameRequest& request, const Inode& moved);
  Result<Inode> checkRemoval(const Caller& caller, FileId directory, std::string_view name) const;
  Error withFile(Error error, const Inode& inode) const;
  // A finished request, for statistics.
  struct Done {
    IoKind kind = IoKind::Read;
    uint64_t bytes = 0;
    uint64_t blocksFromRam = 0, blocksFromDisk = 0;  // of reads
  };
  void record(const Inode& inode, const Done& done, std::chrono::steady_clock::time_point begun);

  class InFlight;
  // `isSizeDurable`: what the reply promises of the size is kept already.
  Task<Result<WriteReply>> writeUnderLock(const WriteRequest& request, Keep keep, std::shared_ptr<StoredFile> file, os::RangeLock::Guard& guard,
                                          bool& isSizeDurable);
  Task<Result<void>> makeDurable(std::shared_ptr<StoredFile> file, uint64_t size);
  void startReadAhead(std::shared_ptr<StoredFile> file, cache::BlockRange blocks, uint64_t size);
  Task<Result<ReadReply>> readOnce(const Inode& inode, uint64_t offset, uint32_t count, Done& done);
  Task<Result<os::RangeLock::Guard>> lockForWrite(FileId fileid, std::shared_ptr<StoredFile> file, uint64_t from, uint64_t end);
  Task<Result<void>> finishTruncate(FileId fileid, std::shared_ptr<StoredFile> file);
  Task<Result<uint64_t>> admit(const Inode& inode, std::shared_ptr<StoredFile> file, os::ByteRange range);
  Keep keepFor(const WriteRequest& request, const Inode& inode) const;
  Task<Result<Change>> setSize(FileId fileid, metadata::AttributeChange change);
  Task<Result<Change>> shorten(FileId fileid, metadata::AttributeChange change, std::shared_ptr<StoredFile> file);

  const VstorageTable::Parts m_parts;
  const metadata::VstorageId m_id;
  const std::string m_name;
  const FileId m_root;
  const std::shared_ptr<IoRecorder> m_engineRecorder, m_recorder;
  QuotaMeter m_quota;
  const std::shared_ptr<cache::CacheAccount> m_account;
  std::atomic<size_t> m_modeEpoch = 0;
  std::array<std::atomic<uint64_t>, 2> m_inFlight{};
  std::atomic<bool> m_removed = false;
  mutable Mutex m_mutex;
  std::shared_ptr<const Live> m_live GUARDED_BY(m_mutex);  // replaced as a whole
};

}  // namespace quarry
