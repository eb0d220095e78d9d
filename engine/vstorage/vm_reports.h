// SPDX-License-Identifier: GPL-3.0-or-later
// vm.list and vm.show, all but the rates: whoever samples I/O statistics adds those. Threads: any. References outlive it.
#pragma once

#include <string>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/result.h"
#include "engine/metadata/inode_table.h"
#include "engine/protocol/messages.h"
#include "engine/vstorage/savings_accountant.h"
#include "engine/vstorage/vm_catalog.h"

namespace quarry {

class VmReports {
 public:
  VmReports(VmCatalog& catalog, SavingsAccountant& savings, metadata::InodeTable& inodes);

  Task<Result<std::vector<protocol::VmInfo>>> list(std::string vstorage);  // empty: all; NotFound
  Task<Result<protocol::VmDetail>> show(protocol::VmShow request);

 private:
  Task<protocol::VmDetail> detail(std::shared_ptr<const Vm> vm, std::shared_ptr<const SavingsSnapshot> savings);

  VmCatalog& m_catalog;
  SavingsAccountant& m_savings;
  metadata::InodeTable& m_inodes;
};

}  // namespace quarry
