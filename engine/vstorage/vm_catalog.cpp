// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/vm_catalog.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "engine/vstorage/vmx.h"

namespace quarry {

namespace {
constexpr int depthMax = 256;                 // of folders between a file and its VM's folder
constexpr size_t ownersMax = 1 << 20;         // remembered; more begin anew
constexpr size_t entriesPerCall = 1024;

bool endsWith(std::string_view name, std::string_view suffix) {
  if (name.size() <= suffix.size()) return false;
  const auto tail = name.substr(name.size() - suffix.size());
  return std::equal(tail.begin(), tail.end(), suffix.begin(), [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

template <class Visit>
void forEachEntry(const metadata::InodeTable& inodes, metadata::FileId directory, Visit visit) {
  for (uint64_t cookie = 0;;) {
    const auto entries = inodes.list(directory, cookie, entriesPerCall);
    if (!entries || entries->empty()) return;
    for (const metadata::DirectoryEntry& entry : *entries)
      if (!visit(entry)) return;
    cookie = entries->back().cookie;
  }
}
}  // namespace

bool isVmxName(std::string_view name) { return endsWith(name, ".vmx"); }

bool isDiskImageName(std::string_view name) {
  constexpr std::array<std::string_view, 7> suffixes{".vmdk", ".qcow2", ".raw", ".img", ".vhd", ".vhdx", ".vdi"};
  return std::any_of(suffixes.begin(), suffixes.end(), [name](std::string_view suffix) { return endsWith(name, suffix); });
}

VmCatalog::VmCatalog(metadata::InodeTable& inodes, FileDataTable& files, IoRecorders& recorders)
    : m_inodes(inodes), m_files(files), m_recorders(recorders) {}

std::string VmCatalog::vstorageName(metadata::VstorageId id) const {
  for (const metadata::VstorageRow& row : m_inodes.vstorages())
    if (row.id == id) return row.name;
  return {};
}

bool VmCatalog::holdsVmFile(metadata::FileId folder) const {
  bool isFound = false;
  forEachEntry(m_inodes, folder, [&isFound](const metadata::DirectoryEntry& entry) {
    isFound = isVmxName(entry.name) || isDiskImageName(entry.name);
    return !isFound;
  });
  return isFound;
}

std::shared_ptr<const Vm> VmCatalog::owner(const metadata::Inode& inode) {
  uint64_t epoch = 0;
  {
    const Lock lock(m_mutex);
    const auto found = m_owners.find(inode.fileid);
    if (found != m_owners.end()) return found->second;
    epoch = m_epoch;
  }
  // Up to the folder whose parent is the root.
  std::optional<metadata::Inode> at = inode;
  std::shared_ptr<const Vm> vm;
  for (int depth = 0; depth < depthMax && at && at->parent != at->fileid; ++depth) {
    auto parent = m_inodes.get(at->parent);
    const bool isTopLevel = parent && parent->parent == parent->fileid;
    if (isTopLevel && at->type == metadata::FileType::Directory) vm = vmOfFolder(*at);
    at = std::move(parent);
  }
  const Lock lock(m_mutex);
  if (m_epoch != epoch) return vm;
  if (m_owners.size() >= ownersMax) m_owners.clear();
  m_owners[inode.fileid] = vm;
  return vm;
}

std::shared_ptr<const Vm> VmCatalog::vmOfFolder(const metadata::Inode& folder) {
  uint64_t epoch = 0;
  {
    const Lock lock(m_mutex);
    const auto found = m_folders.find(folder.fileid);
    if (found != m_folders.end()) return found->second;
    epoch = m_epoch;
  }
  std::shared_ptr<Vm> vm;
  if (holdsVmFile(folder.fileid)) {
    vm = std::make_shared<Vm>();
    vm->vstorage = folder.vstorage;
    vm->vstorageName = vstorageName(folder.vstorage);
    vm->folder = folder.fileid;
    vm->name = m_inodes.path(folder.fileid);
    vm->recorder = m_recorders.open("vm/" + vm->vstorageName + "/" + vm->name);
  }
  const Lock lock(m_mutex);
  if (m_epoch == epoch) m_folders[folder.fileid] = vm;
  return vm;
}

std::vector<std::shared_ptr<const Vm>> VmCatalog::all(metadata::VstorageId vstorage) {
  std::vector<std::shared_ptr<const Vm>> vms;
  for (const metadata::VstorageRow& row : m_inodes.vstorages()) {
    if (vstorage != 0 && row.id != vstorage) continue;
    forEachEntry(m_inodes, row.root, [this, &vms](const metadata::DirectoryEntry& entry) {
      const auto folder = m_inodes.get(entry.fileid);
      if (!folder || folder->type != metadata::FileType::Directory) return true;
      if (auto vm = vmOfFolder(*folder)) vms.push_back(std::move(vm));
      return true;
    });
  }
  std::sort(vms.begin(), vms.end(), [](const auto& a, const auto& b) {
    return std::tie(a->vstorageName, a->name) < std::tie(b->vstorageName, b->name);
  });
  return vms;
}

Result<std::shared_ptr<const Vm>> VmCatalog::find(std::string_view vstorage, std::string_view name) {
  std::shared_ptr<const Vm> found;
  for (const auto& vm : all()) {
    if (vm->name != name || (!vstorage.empty() && vm->vstorageName != vstorage)) continue;
    if (found) return fail(ErrorCode::InvalidArgument, "several vstorages have a VM \"" + std::string(name) + "\": say which vstorage");
    found = vm;
  }
  if (!found) return fail(ErrorCode::NotFound, "there is no VM \"" + std::string(name) + "\"");
  return found;
}

std::vector<VmMember> VmCatalog::members(const Vm& vm) const {
  std::vector<VmMember> members;
  std::vector<metadata::FileId> folders{vm.folder};
  while (!folders.empty()) {
    const metadata::FileId folder = folders.back();
    folders.pop_back();
    forEachEntry(m_inodes, folder, [this, &members, &folders](const metadata::DirectoryEntry& entry) {
      auto inode = m_inodes.get(entry.fileid);
      if (inode && inode->type == metadata::FileType::Directory) folders.push_back(entry.fileid);
      if (inode && inode->type == metadata::FileType::Regular) members.push_back({m_inodes.path(entry.fileid), std::move(*inode)});
      return true;
    });
  }
  std::sort(members.begin(), members.end(), [](const VmMember& a, const VmMember& b) { return a.path < b.path; });
  // A file with two links in the folder is one file.
  members.erase(std::unique(members.begin(), members.end(), [](const VmMember& a, const VmMember& b) { return a.inode.fileid == b.inode.fileid; }),
                members.end());
  return members;
}

Task<std::string> VmCatalog::guest(std::shared_ptr<const Vm> vm) {
  std::optional<metadata::Inode> vmx;
  forEachEntry(m_inodes, vm->folder, [this, &vmx](const metadata::DirectoryEntry& entry) {
    if (isVmxName(entry.name)) vmx = m_inodes.get(entry.fileid);
    return !vmx;
  });
  if (!vmx || vmx->type != metadata::FileType::Regular || vmx->size == 0) co_return std::string();
  {
    const Lock lock(m_mutex);
    const auto known = m_guests.find(vm->folder);
    if (known != m_guests.end() && known->second.vmx == vmx->fileid && known->second.modified == vmx->modified) co_return known->second.name;
  }
  AlignedBuffer buffer(std::min<uint64_t>(vmx->size, vmxBytesMax));
  const auto file = m_files.get(vmx->fileid);
  const auto read = co_await file->read(0, buffer.bytes());
  if (!read) co_return std::string();
  const auto guestOs = vmxValue(asText(buffer.bytes()), "guestOS");
  const std::string name = guestOs ? guestName(*guestOs) : std::string();
  const Lock lock(m_mutex);
  m_guests[vm->folder] = {vmx->fileid, vmx->modified, name};
  co_return name;
}

// Lock files come and go all the time: only names that make or unmake a VM clear anything, and folders, which may hold such names. The VM stays
// what it is while its folder still holds such a name: its figures hang on the one object.
void VmCatalog::entryChanged(metadata::FileId directory, std::string_view name) {
  if (!isVmxName(name) && !isDiskImageName(name)) return;
  const bool isVm = holdsVmFile(directory);
  const Lock lock(m_mutex);
  ++m_epoch;
  m_guests.erase(directory);
  const auto known = m_folders.find(directory);
  if (known == m_folders.end() || (known->second != nullptr) == isVm) return;
  m_folders.erase(directory);
  m_owners.clear();
}

void VmCatalog::fileMoved(metadata::FileId fileid) {
  const Lock lock(m_mutex);
  ++m_epoch;
  m_owners.erase(fileid);
}

void VmCatalog::folderMoved(metadata::FileId folder) {
  const Lock lock(m_mutex);
  ++m_epoch;
  m_folders.erase(folder);
  m_guests.erase(folder);
  m_owners.clear();
}

void VmCatalog::vstorageRemoved(metadata::VstorageId vstorage) {
  const Lock lock(m_mutex);
  ++m_epoch;
  std::erase_if(m_folders, [vstorage](const auto& entry) { return !entry.second || entry.second->vstorage == vstorage; });
  m_owners.clear();
  m_guests.clear();
}

}  // namespace quarry
