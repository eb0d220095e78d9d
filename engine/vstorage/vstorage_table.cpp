// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/vstorage_table.h"

#include <algorithm>
#include <utility>

#include "engine/base/iso_time.h"
#include "engine/vstorage/address_list.h"
#include "engine/vstorage/exported_vstorage.h"
#include "engine/vstorage/vstorage_settings.h"

namespace quarry {

namespace {
// Figures that a person looks at may be a moment old.
constexpr std::chrono::milliseconds savingsAgeMax{1000};

tl::unexpected<Error> noSuch(std::string_view name) { return fail(ErrorCode::NotFound, "there is no vstorage \"" + std::string(name) + "\""); }
}  // namespace

Result<std::unique_ptr<VstorageTable>> VstorageTable::load(Parts parts) {
  std::unique_ptr<VstorageTable> table(new VstorageTable(parts));
  for (const metadata::VstorageRow& row : parts.inodes.vstorages()) {
    auto settings = decodeSettings(row.settings);
    if (!settings) return fail(ErrorCode::Corrupt, "vstorage " + row.name + ": " + settings.error().message);
    auto clients = AddressList::parse(settings->clients);
    if (!clients) return fail(ErrorCode::Corrupt, "vstorage " + row.name + ": " + clients.error().message);
    const Lock lock(table->m_mutex);
    table->m_byName[row.name] = std::make_shared<ExportedVstorage>(parts, row, std::move(*settings), std::move(*clients));
  }
  return table;
}

std::shared_ptr<ExportedVstorage> VstorageTable::findExported(std::string_view name) const {
  const Lock lock(m_mutex);
  const auto found = m_byName.find(name);
  return found == m_byName.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<ExportedVstorage>> VstorageTable::exported() const {
  std::vector<std::shared_ptr<ExportedVstorage>> all;
  const Lock lock(m_mutex);
  for (const auto& [name, vstorage] : m_byName) all.push_back(vstorage);
  return all;
}

std::shared_ptr<Vstorage> VstorageTable::find(std::string_view name) const { return findExported(name); }

std::shared_ptr<Vstorage> VstorageTable::find(metadata::VstorageId id) const {
  const Lock lock(m_mutex);
  const auto found = std::find_if(m_byName.begin(), m_byName.end(), [id](const auto& entry) { return entry.second->id() == id; });
  return found == m_byName.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<Vstorage>> VstorageTable::all() const {
  const auto vstorages = exported();
  return {vstorages.begin(), vstorages.end()};
}

Task<Result<protocol::VstorageInfo>> VstorageTable::create(protocol::VstorageCreate request) {
  if (m_parts.health.isReadOnly()) co_return fail(ErrorCode::ReadOnly, "the store is read-only: " + m_parts.health.reason());
  if (auto named = checkVstorageName(request.name); !named) co_return fail(named.error());
  VstorageSettings settings;
  settings.writeMode = request.writeMode;
  settings.clients = std::move(request.clients);
  settings.squash = request.squash;
  settings.readOnly = request.readOnly;
  settings.quotaBytes = request.quotaBytes;
  settings.createdAt = isoTime(m_parts.clock.now());
  if (auto checked = checkSettings(settings); !checked) co_return fail(checked.error());
  auto clients = AddressList::parse(settings.clients);
  if (!clients) co_return fail(clients.error());
  {
    const Lock lock(m_mutex);
    if (m_byName.contains(request.name) || !m_beingMade.insert(request.name).second)
      co_return fail(ErrorCode::Exists, "there is a vstorage \"" + request.name + "\" already");
  }
  const auto row = co_await m_parts.inodes.createVstorage(request.name, encodeSettings(settings));
  std::shared_ptr<ExportedVstorage> made;
  if (row) made = std::make_shared<ExportedVstorage>(m_parts, *row, std::move(settings), std::move(*clients));
  {
    const Lock lock(m_mutex);
    m_beingMade.erase(request.name);
    if (made) m_byName[request.name] = made;
  }
  if (!row) co_return fail(row.error());
  co_return co_await describe(made);
}

Task<std::vector<protocol::VstorageInfo>> VstorageTable::list() {
  std::vector<protocol::VstorageInfo> infos;
  const auto vstorages = exported();
  for (const auto& vstorage : vstorages) infos.push_back(co_await describe(vstorage));
  co_return infos;
}

Task<Result<protocol::VstorageInfo>> VstorageTable::show(std::string name) {
  const auto vstorage = findExported(name);
  if (!vstorage) co_return noSuch(name);
  co_return co_await describe(vstorage);
}

Task<protocol::VstorageInfo> VstorageTable::describe(std::shared_ptr<ExportedVstorage> vstorage) {
  const auto savings = co_await m_parts.savings.current(savingsAgeMax);
  VstorageSettings settings = vstorage->settings();
  protocol::VstorageInfo info;
  info.name = vstorage->name();
  info.writeMode = settings.writeMode;
  info.clients = std::move(settings.clients);
  info.squash = settings.squash;
  info.readOnly = settings.readOnly;
  info.quotaBytes = settings.quotaBytes;
  info.createdAt = std::move(settings.createdAt);
  info.policy = std::move(settings.policy);
  info.fileCount = m_parts.inodes.regularFiles(vstorage->id()).size();
  info.vmCount = static_cast<int>(m_parts.vms.all(vstorage->id()).size());
  info.savings = savings->vstorage(vstorage->id());
  info.unprotectedBytes = vstorage->account().unprotectedBlocks.load() * blockBytes;
  info.mountCount = m_mounts.clientCount(info.name);
  co_return info;
}

Task<Result<void>> VstorageTable::change(std::shared_ptr<ExportedVstorage> vstorage, VstorageSettings settings) {
  if (m_parts.health.isReadOnly()) co_return fail(ErrorCode::ReadOnly, "the store is read-only: " + m_parts.health.reason());
  if (auto checked = checkSettings(settings); !checked) co_return checked;
  auto clients = AddressList::parse(settings.clients);
  if (!clients) co_return fail(clients.error());
  const auto saved = co_await m_parts.inodes.setVstorage(vstorage->id(), encodeSettings(settings));
  if (!saved) co_return saved;
  const bool isOtherMode = vstorage->settings().writeMode != settings.writeMode;
  vstorage->apply(std::move(settings), std::move(*clients));
  if (!isOtherMode) co_return saved;
  co_return co_await vstorage->settleWriteMode();
}

Task<Result<protocol::VstorageInfo>> VstorageTable::set(protocol::VstorageSet request) {
  const auto vstorage = findExported(request.name);
  if (!vstorage) co_return noSuch(request.name);
  // One change at a time, or the later one would write back what it had read before the earlier one.
  const auto guard = co_await m_changing.lock(0, 1);
  VstorageSettings settings = vstorage->settings();
  if (request.writeMode) settings.writeMode = *request.writeMode;
  if (request.clients) settings.clients = std::move(*request.clients);
  if (request.squash) settings.squash = *request.squash;
  if (request.readOnly) settings.readOnly = *request.readOnly;
  if (request.quotaBytes) settings.quotaBytes = *request.quotaBytes;
  const auto changed = co_await change(vstorage, std::move(settings));
  if (!changed) co_return fail(changed.error());
  co_return co_await describe(vstorage);
}

Task<Result<uint64_t>> VstorageTable::flush(std::string name) {
  if (name.empty()) {
    const cache::Destager::Choice all = [](cache::DirtyFile&) { return true; };
    co_return co_await m_parts.destager.flush(all);
  }
  const auto vstorage = findExported(name);
  if (!vstorage) co_return noSuch(name);
  co_return co_await vstorage->flush();
}

Result<protocol::Policy> VstorageTable::policy(std::string_view name) const {
  const auto vstorage = findExported(name);
  if (!vstorage) return noSuch(name);
  return vstorage->settings().policy;
}

Task<Result<protocol::Policy>> VstorageTable::setPolicy(protocol::PolicySet request) {
  const auto vstorage = findExported(request.name);
  if (!vstorage) co_return noSuch(request.name);
  const auto guard = co_await m_changing.lock(0, 1);
  VstorageSettings settings = vstorage->settings();
  if (request.minAgeSeconds) settings.policy.minAgeSeconds = *request.minAgeSeconds;
  if (request.minSizeBytes) settings.policy.minSizeBytes = *request.minSizeBytes;
  if (request.exclude) settings.policy.exclude = std::move(*request.exclude);
  if (request.level) settings.policy.level = *request.level;
  protocol::Policy policy = settings.policy;
  const auto changed = co_await change(vstorage, std::move(settings));
  if (!changed) co_return fail(changed.error());
  co_return policy;
}

Task<Result<void>> VstorageTable::remove(protocol::VstorageRemove request) {
  if (m_parts.health.isReadOnly()) co_return fail(ErrorCode::ReadOnly, "the store is read-only: " + m_parts.health.reason());
  const auto guard = co_await m_changing.lock(0, 1);
  const auto vstorage = findExported(request.name);
  if (!vstorage) co_return noSuch(request.name);
  // The folders alone would be no loss, but to whoever made them they say that the vstorage is in use.
  const auto entries = m_parts.inodes.list(vstorage->root(), 0, 1);
  if (!request.force && (!entries || !entries->empty()))
    co_return fail(ErrorCode::NotEmpty, "vstorage \"" + request.name + "\" still holds files; remove it with force to delete them");
  auto files = co_await m_parts.inodes.removeVstorage(vstorage->id());
  if (!files) co_return fail(files.error());
  vstorage->markRemoved();
  {
    const Lock lock(m_mutex);
    m_byName.erase(request.name);
  }
  m_mounts.forget(request.name);
  m_parts.vms.vstorageRemoved(vstorage->id());
  m_parts.files.drop(std::move(*files));
  co_return Result<void>();
}

Result<std::vector<VstorageTable::ListedFile>> VstorageTable::listFiles(std::string_view name) const {
  std::vector<ListedFile> files;
  if (name.empty()) {
    for (const auto& vstorage : exported()) listInto(*vstorage, files);
    return files;
  }
  const auto vstorage = findExported(name);
  if (!vstorage) return noSuch(name);
  listInto(*vstorage, files);
  return files;
}

void VstorageTable::listInto(const ExportedVstorage& vstorage, std::vector<ListedFile>& files) const {
  const auto first = static_cast<ptrdiff_t>(files.size());
  const std::string name = vstorage.name();
  for (const metadata::FileId fileid : m_parts.inodes.regularFiles(vstorage.id())) {
    const auto inode = m_parts.inodes.get(fileid);
    if (!inode) continue;
    const auto vm = m_parts.vms.owner(*inode);
    files.push_back({fileid, name, vm ? vm->name : "", m_parts.inodes.path(fileid), inode->size});
  }
  std::sort(files.begin() + first, files.end(), [](const ListedFile& a, const ListedFile& b) { return a.path < b.path; });
}

}  // namespace quarry
