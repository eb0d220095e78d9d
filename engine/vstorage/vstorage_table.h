// SPDX-License-Identifier: GPL-3.0-or-later
// ExportTable over the namespace, and what the administrator does with vstorages: create, list, set, remove, policy.
//
// Threads: any. Ownership: everything in Parts outlives it. Changes are durable when a call returns.
// Failure: InvalidArgument, Exists, NotFound, NotEmpty, NotSupported with a sentence for the user; nothing of a failed change stays.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/mutex.h"
#include "engine/cache/destager.h"
#include "engine/metadata/inode_table.h"
#include "engine/os/range_lock.h"
#include "engine/protocol/messages.h"
#include "engine/vstorage/export_table.h"
#include "engine/vstorage/file_data_table.h"
#include "engine/vstorage/io_recorder.h"
#include "engine/vstorage/mount_table.h"
#include "engine/vstorage/savings_accountant.h"
#include "engine/vstorage/space_guard.h"
#include "engine/vstorage/store_health.h"
#include "engine/vstorage/vm_catalog.h"
#include "engine/vstorage/vstorage_settings.h"

namespace quarry {

class ExportedVstorage;

class VstorageTable : public ExportTable {
 public:
  struct Parts {
    metadata::InodeTable& inodes;
    FileDataTable& files;
    cache::Caches& caches;
    cache::Destager& destager;
    SpaceGuard& space;
    StoreHealth& health;
    VmCatalog& vms;
    SavingsAccountant& savings;
    IoRecorders& recorders;
    const Clock& clock;
    uint64_t writeVerifier = 0;   // new at each engine start
  };

  // All vstorages of the namespace. Corrupt: damaged settings, with the vstorage's name.
  static Result<std::unique_ptr<VstorageTable>> load(Parts parts);

  // --- ExportTable
  std::shared_ptr<Vstorage> find(metadata::VstorageId id) const override;
  std::shared_ptr<Vstorage> find(std::string_view name) const override;
  std::vector<std::shared_ptr<Vstorage>> all() const override;
  void noteMount(std::string_view client, std::string_view path) override { m_mounts.noteMount(client, path); }
  void noteUse(std::string_view client, std::string_view name) override { m_mounts.noteUse(client, name); }
  void noteUnmount(std::string_view client, std::string_view path) override { m_mounts.noteUnmount(client, path); }
  std::vector<std::pair<std::string, std::string>> mounts() const override { return m_mounts.shown(); }

  // --- the administrator's side
  Task<Result<protocol::VstorageInfo>> create(protocol::VstorageCreate request);
  Task<std::vector<protocol::VstorageInfo>> list();                              // by name, with savings
  Task<Result<protocol::VstorageInfo>> show(std::string name);
  Task<Result<protocol::VstorageInfo>> set(protocol::VstorageSet request);
  Task<Result<void>> remove(protocol::VstorageRemove request);                   // its data goes in the background
  Task<Result<uint64_t>> flush(std::string name);                                // write cache → landing files; empty: all; bytes
  Result<protocol::Policy> policy(std::string_view name) const;
  Task<Result<protocol::Policy>> setPolicy(protocol::PolicySet request);

  // By name.
  std::vector<std::shared_ptr<ExportedVstorage>> exported() const;

  // A regular file as jobs list it.
  struct ListedFile {
    metadata::FileId fileid = 0;
    std::string vstorage;
    std::string vm;      // empty: none
    std::string path;    // inside the vstorage
    uint64_t sizeBytes = 0;
  };
  // All regular files of a vstorage (empty name: of the store), by vstorage and path. NotFound.
  Result<std::vector<ListedFile>> listFiles(std::string_view name) const;

 private:
  explicit VstorageTable(Parts parts) : m_parts(parts) {}
  std::shared_ptr<ExportedVstorage> findExported(std::string_view name) const;
  Task<Result<void>> change(std::shared_ptr<ExportedVstorage> vstorage, VstorageSettings settings);
  Task<protocol::VstorageInfo> describe(std::shared_ptr<ExportedVstorage> vstorage);
  void listInto(const ExportedVstorage& vstorage, std::vector<ListedFile>& files) const;

  Parts m_parts;
  MountTable m_mounts{m_parts.clock};
  os::RangeLock m_changing;                      // of settings and removal: one at a time
  mutable Mutex m_mutex;
  std::map<std::string, std::shared_ptr<ExportedVstorage>, std::less<>> m_byName GUARDED_BY(m_mutex);
  std::set<std::string> m_beingMade GUARDED_BY(m_mutex);                         // names reserved by create()
};

}  // namespace quarry
