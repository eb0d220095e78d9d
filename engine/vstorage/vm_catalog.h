// SPDX-License-Identifier: GPL-3.0-or-later
// Groups files into virtual machines: a VM is a top-level folder of a vstorage that holds a .vmx or a disk image. Answers on the
// hot path which VM a file belongs to, from a cache that every change of names clears as far as it must.
//
// Threads: any. Ownership: references outlive it; Vm objects are shared and stay valid after the VM is gone.
// Failure: a .vmx that cannot be read or parsed gives an empty guest, nothing else.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/mutex.h"
#include "engine/metadata/inode_table.h"
#include "engine/vstorage/file_data_table.h"
#include "engine/vstorage/io_recorder.h"

namespace quarry {

struct Vm {
  metadata::VstorageId vstorage = 0;
  std::string vstorageName;
  metadata::FileId folder = 0;
  std::string name;                       // of the folder
  std::shared_ptr<IoRecorder> recorder;
};

// A file below a VM's folder.
struct VmMember {
  std::string path;                       // inside the vstorage
  metadata::Inode inode;
};

bool isDiskImageName(std::string_view name);   // .vmdk .qcow2 .raw .img .vhd .vhdx .vdi, any case
bool isVmxName(std::string_view name);

class VmCatalog {
 public:
  VmCatalog(metadata::InodeTable& inodes, FileDataTable& files, IoRecorders& recorders);

  // The VM that the file or folder belongs to; null: none.
  std::shared_ptr<const Vm> owner(const metadata::Inode& inode);
  // All VMs, of one vstorage or (0) of the store, by vstorage and name.
  std::vector<std::shared_ptr<const Vm>> all(metadata::VstorageId vstorage = 0);
  // NotFound, or InvalidArgument when `vstorage` is empty and several have a VM of that name.
  Result<std::shared_ptr<const Vm>> find(std::string_view vstorage, std::string_view name);
  std::vector<VmMember> members(const Vm& vm) const;   // regular files, by path
  // As a person says it; empty when unknown. Reads the .vmx once per change of it.
  Task<std::string> guest(std::shared_ptr<const Vm> vm);

  // Names changed. `name` appeared in or vanished from `directory`.
  void entryChanged(metadata::FileId directory, std::string_view name);
  // A file got another folder (moved or linked): it may belong to another VM now.
  void fileMoved(metadata::FileId fileid);
  // A folder got another name or place, and all in it. Figures of VMs other than that folder go on.
  void folderMoved(metadata::FileId folder);
  void vstorageRemoved(metadata::VstorageId vstorage);

 private:
  struct Guest {
    metadata::FileId vmx = 0;
    Timestamp modified;
    std::string name;
  };
  std::shared_ptr<const Vm> vmOfFolder(const metadata::Inode& folder);
  bool holdsVmFile(metadata::FileId folder) const;
  std::string vstorageName(metadata::VstorageId id) const;

  metadata::InodeTable& m_inodes;
  FileDataTable& m_files;
  IoRecorders& m_recorders;
  Mutex m_mutex;
  uint64_t m_epoch GUARDED_BY(m_mutex) = 0;      // of the caches: what was found under an older one is not kept
  std::unordered_map<metadata::FileId, std::shared_ptr<const Vm>> m_folders GUARDED_BY(m_mutex);  // top-level folders; null: no VM
  std::unordered_map<metadata::FileId, std::shared_ptr<const Vm>> m_owners GUARDED_BY(m_mutex);   // files
  std::unordered_map<metadata::FileId, Guest> m_guests GUARDED_BY(m_mutex);                       // by folder
};

}  // namespace quarry
