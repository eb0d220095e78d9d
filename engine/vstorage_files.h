// SPDX-License-Identifier: GPL-3.0-or-later
// The files of the store's vstorages as dedup jobs take them: FileSource over the vstorage layer. Safe from any thread; references outlive it.
#pragma once

#include "engine/dedup/file_source.h"
#include "engine/vstorage/file_data_table.h"
#include "engine/vstorage/store_health.h"
#include "engine/vstorage/vm_catalog.h"
#include "engine/vstorage/vstorage_table.h"

namespace quarry {

class VstorageFiles : public dedup::FileSource {
 public:
  VstorageFiles(VstorageTable& vstorages, FileDataTable& files, metadata::InodeTable& inodes, VmCatalog& vms, const StoreHealth& health,
               cache::Destager* destager = nullptr)
      : m_vstorages(vstorages), m_files(files), m_inodes(inodes), m_vms(vms), m_health(health), m_destager(destager) {}

  Result<std::vector<dedup::SourceFile>> list(const dedup::Selection& selection) const override;
  Task<Result<std::shared_ptr<FileData>>> open(metadata::FileId fileid) override;
  std::optional<uint64_t> truncateCounter(metadata::FileId fileid) const override;
  Result<void> checkWritable() const override;

 private:
  Result<void> check(const dedup::Selection& selection) const;

  VstorageTable& m_vstorages;
  FileDataTable& m_files;
  metadata::InodeTable& m_inodes;
  VmCatalog& m_vms;
  const StoreHealth& m_health;
  cache::Destager* const m_destager;  // null: nothing is ever dirty
};

}  // namespace quarry
