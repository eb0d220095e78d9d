// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/quarryctl/amount.h"
#include "app/quarryctl/commands.h"
#include "app/quarryctl/savings_text.h"
#include "app/quarryctl/table.h"

namespace quarry::ctl {
namespace {

using protocol::VmDetail;
using protocol::VmInfo;

std::string listText(const std::vector<VmInfo>& vms) {
  using enum Table::Align;
  Table table({{"VSTORAGE"}, {"VM"}, {"DISKS", Right}, {"LOGICAL", Right}, {"STORED", Right}, {"SAVED", Right}, {"READS/S", Right}, {"WRITES/S", Right},
               {"READ", Right}, {"WRITE", Right}, {"LAST WRITE"}});
  for (const VmInfo& vm : vms)
    table.add({vm.vstorage, vm.name, std::to_string(vm.diskCount), sizeText(vm.savings.logicalBytes), sizeText(vm.savings.storedBytes),
               percentText(vm.savings.savedRatio), countText(vm.readIops), countText(vm.writeIops), rateText(vm.readBytesPerSecond),
               rateText(vm.writeBytesPerSecond), vm.lastWriteAt});
  return table.text();
}

std::string latencyText(double mean, double percentile) { return microsecondsText(mean) + " mean, " + microsecondsText(percentile) + " 99th percentile"; }

std::string detailText(const VmDetail& detail) {
  const VmInfo& vm = detail.vm;
  std::vector<std::pair<std::string, std::string>> fields{
      {"VM", vm.name},
      {"vstorage", vm.vstorage},
      {"guest", vm.guest.empty() ? "-" : vm.guest},
      {"reads", countText(vm.readIops) + " per second, " + rateText(vm.readBytesPerSecond)},
      {"writes", countText(vm.writeIops) + " per second, " + rateText(vm.writeBytesPerSecond)},
      {"read latency", latencyText(vm.readLatencyUs, vm.readLatencyP99Us)},
      {"write latency", latencyText(vm.writeLatencyUs, vm.writeLatencyP99Us)},
      {"reads from RAM", vm.hitRatio ? percentText(*vm.hitRatio) : "-"},
      {"mean I/O size", rateText(vm.ioBytes) == "-" ? "-" : sizeText(static_cast<uint64_t>(vm.ioBytes))},
      {"last write", vm.lastWriteAt.empty() ? "-" : vm.lastWriteAt},
  };
  appendSavings(fields, vm.savings);
  using enum Table::Align;
  Table files({{"FILE"}, {"LOGICAL", Right}, {"STORED", Right}, {"SAVED", Right}, {"CHANGED"}});
  for (const protocol::VmFile& file : detail.files)
    files.add({file.path, sizeText(file.savings.logicalBytes), sizeText(file.savings.storedBytes), percentText(file.savings.savedRatio), file.modifiedAt});
  return fieldLines(fields) + "\n" + files.text();
}

}  // namespace

void addVmCommand(CLI::App& app, Session& session) {
  CLI::App* noun = addNoun(app, "vm", "Virtual machines found in the vstorages");
  CLI::App* list = addVerb(*noun, "list", "All of them");
  const auto listRequest = std::make_shared<protocol::VmList>();
  list->add_option("--vstorage", listRequest->vstorage, "Only those of this vstorage");
  list->callback([listRequest, &session] { session.show<std::vector<VmInfo>>("vm.list", toJson(*listRequest), listText); });

  CLI::App* show = addVerb(*noun, "show", "Everything about one, with its files");
  const auto showRequest = std::make_shared<protocol::VmShow>();
  show->add_option("VM", showRequest->name, "Name of the VM")->required();
  show->add_option("--vstorage", showRequest->vstorage, "Its vstorage, when more than one holds a VM of this name");
  show->callback([showRequest, &session] { session.show<VmDetail>("vm.show", toJson(*showRequest), detailText); });
}

}  // namespace quarry::ctl
