// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/savings_gauges.h"

#include <set>
#include <utility>
#include <vector>

namespace quarry {

namespace {
uint64_t nonZeroBytes(const protocol::Savings& file) { return file.logicalBytes - file.zeroBytes; }
}  // namespace

SavingsGauges::SavingsGauges(StatRegistry& registry, SavingsAccountant& savings, VstorageTable& vstorages, metadata::InodeTable& inodes)
    : m_registry(registry), m_savings(savings), m_vstorages(vstorages), m_inodes(inodes) {}

Task<void> SavingsGauges::run() {
  const std::chrono::steady_clock::duration each = period;
  for (;;) {
    const auto snapshot = co_await m_savings.current(ageMax);
    update(*snapshot);
    noteUsed(snapshot);
    const bool goesOn = co_await m_ticker.wait(each);
    if (!goesOn) co_return;
  }
}

SavingsGauges::Gauges& SavingsGauges::gaugesOf(const std::string& prefix) {
  auto& gauges = m_gauges[prefix];
  if (!gauges) {
    gauges = std::make_unique<Gauges>();
    gauges->registration = m_registry.add(gauges->stats.declare(prefix));
  }
  return *gauges;
}

void SavingsGauges::update(const SavingsSnapshot& snapshot) {
  gaugesOf("engine").stats.set(snapshot.total);
  std::set<std::string> present{"engine"};
  for (const auto& vstorage : m_vstorages.all()) {
    const std::string prefix = "vstorage/" + vstorage->name();
    present.insert(prefix);
    gaugesOf(prefix).stats.set(snapshot.vstorage(vstorage->id()));
  }
  std::erase_if(m_gauges, [&present](const auto& entry) { return !present.contains(entry.first); });
}

// Not reduced by dedup and compression: what a file uses must not change with what other files hold.
void SavingsGauges::noteUsed(std::shared_ptr<const SavingsSnapshot> snapshot) {
  std::vector<std::pair<metadata::FileId, uint64_t>> counted;
  for (const auto& [fileid, file] : snapshot->files) {
    const auto noted = m_noted->files.find(fileid);
    if (noted == m_noted->files.end() || nonZeroBytes(noted->second) != nonZeroBytes(file)) counted.emplace_back(fileid, nonZeroBytes(file));
  }
  m_inodes.noteUsed(counted);
  m_noted = std::move(snapshot);
}

}  // namespace quarry
