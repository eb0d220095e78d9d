// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/savings_gauges.h"

#include <set>

namespace quarry {

SavingsGauges::SavingsGauges(StatRegistry& registry, SavingsAccountant& savings, VstorageTable& vstorages)
    : m_registry(registry), m_savings(savings), m_vstorages(vstorages) {}

Task<void> SavingsGauges::run() {
  const std::chrono::steady_clock::duration each = period;
  for (;;) {
    const auto snapshot = co_await m_savings.current(ageMax);
    update(*snapshot);
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

}  // namespace quarry
