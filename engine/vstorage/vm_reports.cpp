// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/vm_reports.h"

#include <algorithm>
#include <utility>

#include "engine/base/iso_time.h"

namespace quarry {

namespace {
constexpr std::chrono::milliseconds savingsAgeMax{1000};

std::string_view fileName(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool endsWith(std::string_view name, std::string_view suffix) { return name.size() > suffix.size() && name.ends_with(suffix); }

// A VMware disk is a small descriptor and one data file beside it, -flat or -delta: it counts once.
bool isDisk(std::string_view name) {
  return isDiskImageName(name) && !endsWith(name, "-flat.vmdk") && !endsWith(name, "-delta.vmdk") && !endsWith(name, "-sesparse.vmdk") &&
         !endsWith(name, "-ctk.vmdk");
}
}  // namespace

VmReports::VmReports(VmCatalog& catalog, SavingsAccountant& savings, metadata::InodeTable& inodes)
    : m_catalog(catalog), m_savings(savings), m_inodes(inodes) {}

Task<Result<std::vector<protocol::VmInfo>>> VmReports::list(std::string vstorage) {
  metadata::VstorageId id = 0;
  for (const metadata::VstorageRow& row : m_inodes.vstorages())
    if (row.name == vstorage) id = row.id;
  if (!vstorage.empty() && id == 0) co_return fail(ErrorCode::NotFound, "there is no vstorage \"" + vstorage + "\"");
  const auto savings = co_await m_savings.current(savingsAgeMax);
  const auto vms = m_catalog.all(id);
  std::vector<protocol::VmInfo> infos;
  for (const auto& vm : vms) {
    auto shown = co_await detail(vm, savings);
    infos.push_back(std::move(shown.vm));
  }
  co_return infos;
}

Task<Result<protocol::VmDetail>> VmReports::show(protocol::VmShow request) {
  const auto vm = m_catalog.find(request.vstorage, request.name);
  if (!vm) co_return fail(vm.error());
  const auto savings = co_await m_savings.current(savingsAgeMax);
  co_return co_await detail(*vm, savings);
}

Task<protocol::VmDetail> VmReports::detail(std::shared_ptr<const Vm> vm, std::shared_ptr<const SavingsSnapshot> savings) {
  protocol::VmDetail shown;
  shown.vm.vstorage = vm->vstorageName;
  shown.vm.name = vm->name;
  shown.vm.guest = co_await m_catalog.guest(vm);
  Timestamp lastWrite;
  for (const VmMember& member : m_catalog.members(*vm)) {
    const protocol::Savings part = savings->file(member.inode.fileid);
    add(shown.vm.savings, part);
    if (isDisk(fileName(member.path))) ++shown.vm.diskCount;
    lastWrite = std::max(lastWrite, member.inode.modified);
    shown.files.push_back({member.path, member.inode.fileid, part, isoTime(member.inode.modified)});
  }
  if (lastWrite.unixNs > 0) shown.vm.lastWriteAt = isoTime(lastWrite);
  co_return shown;
}

}  // namespace quarry
