// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/metadata/inode_store.h"
#include "engine/metadata/stored_inode_table.h"

namespace quarry::metadata {

Task<Result<VstorageRow>> StoredInodeTable::createVstorage(std::string name, std::string settings) {
  return runChange<VstorageRow>([=, this](Step& step) { return createVstorageNow(step, name, settings); });
}

Task<Result<void>> StoredInodeTable::setVstorage(VstorageId id, std::string settings) {
  return m_queue.submit([=, this](Database& database) -> Result<void> {
    {
      const Lock lock(m_mutex);
      if (!m_index.vstorages.contains(id)) return fail(ErrorCode::NotFound, "vstorage " + std::to_string(id) + " is gone");
    }
    if (auto saved = inode_store::updateVstorageSettings(database, id, settings); !saved) return saved;
    const Lock lock(m_mutex);
    m_index.vstorages.at(id).settings = settings;
    return {};
  });
}

Task<Result<std::vector<FileId>>> StoredInodeTable::removeVstorage(VstorageId id) {
  return runChange<std::vector<FileId>>([=, this](Step& step) { return removeVstorageNow(step, id); });
}

Result<VstorageRow> StoredInodeTable::createVstorageNow(Step& step, const std::string& name, const std::string& settings) {
  if (auto checked = checkName(name); !checked) return fail(checked.error());
  Inode root;
  VstorageRow row{.id = 0, .name = name, .root = 0, .settings = settings};
  {
    const Lock lock(m_mutex);
    const auto hasName = [&name](const auto& entry) { return entry.second.name == name; };
    if (std::any_of(m_index.vstorages.begin(), m_index.vstorages.end(), hasName)) {
      return fail(ErrorCode::Exists, "there is a vstorage \"" + name + "\" already");
    }
    root.fileid = m_index.nextFileid++;
    root.vstorage = m_index.nextVstorage++;
    root.generation = static_cast<uint32_t>(m_random());
    root.type = FileType::Directory;
    root.mode = 0777;
    root.linkCount = 2;
    root.size = 4096;
    root.accessed = root.modified = root.changed = nextChanged({});
    root.parent = root.fileid;
    row.id = root.vstorage;
    row.root = root.fileid;
  }
  Database& database = *step.database;
  if (auto saved = inode_store::insertInode(database, root, {}); !saved) return fail(saved.error());
  if (auto saved = inode_store::insertVstorage(database, row); !saved) return fail(saved.error());
  if (auto saved = inode_store::setCounter(database, "next_fileid", root.fileid + 1); !saved) return fail(saved.error());
  if (auto saved = inode_store::setCounter(database, "next_vstorage", row.id + 1); !saved) return fail(saved.error());
  const Lock lock(m_mutex);
  m_index.addInode(root, {});
  m_index.vstorages.emplace(row.id, row);
  return row;
}

Result<std::vector<FileId>> StoredInodeTable::removeVstorageNow(Step& step, VstorageId id) {
  std::vector<FileId> files, inodes;
  {
    const Lock lock(m_mutex);
    if (!m_index.vstorages.contains(id)) return fail(ErrorCode::NotFound, "vstorage " + std::to_string(id) + " is gone");
    for (const auto& [fileid, record] : m_index.all()) {
      if (record.inode.vstorage != id) continue;
      inodes.push_back(fileid);
      if (record.inode.type == FileType::Regular) files.push_back(fileid);
    }
  }
  if (auto saved = inode_store::deleteVstorage(*step.database, id); !saved) return fail(saved.error());
  const Lock lock(m_mutex);
  for (const FileId fileid : inodes) forget(fileid);
  m_index.vstorages.erase(id);
  return files;
}

}  // namespace quarry::metadata
