// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stats/savings_stats.h"

namespace quarry {

void SavingsStats::set(const protocol::Savings& savings) {
  m_logical.set(static_cast<int64_t>(savings.logicalBytes));
  m_zero.set(static_cast<int64_t>(savings.zeroBytes));
  m_duplicate.set(static_cast<int64_t>(savings.duplicateBytes));
  m_compressed.set(static_cast<int64_t>(savings.compressedAwayBytes));
  m_stored.set(static_cast<int64_t>(savings.storedBytes));
  m_landing.set(static_cast<int64_t>(savings.landingBytes));
}

std::vector<StatDeclaration> SavingsStats::declare(const std::string& prefix) const {
  std::vector<StatDeclaration> group;
  const auto add = [&group, &prefix](const char* part, const char* text, const Gauge& gauge) {
    group.push_back({{prefix + "/savings/" + part, protocol::Unit::Bytes, text, 0},
                     [&gauge](double) { return static_cast<double>(gauge.value()); }});
  };
  add("logical", "Bytes that clients see.", m_logical);
  add("zero", "Holes and zero blocks among them.", m_zero);
  add("duplicate", "Bytes that were present once already.", m_duplicate);
  add("compressed", "Bytes removed by compression.", m_compressed);
  add("stored", "Bytes that the disk holds for them.", m_stored);
  add("landing", "Part of the stored bytes that is not optimized yet.", m_landing);
  return group;
}

}  // namespace quarry
