// SPDX-License-Identifier: GPL-3.0-or-later
// Where the logical bytes of the engine or of a vstorage went, as gauges. The owner sets them whenever it has counted; safe from any
// thread. A reader may see some gauges of the new count and some of the old one.
#pragma once

#include <string>
#include <vector>

#include "engine/protocol/messages.h"
#include "engine/stats/stat.h"
#include "engine/stats/stat_registry.h"

namespace quarry {

class SavingsStats {
 public:
  void set(const protocol::Savings& savings);
  // PREFIX/savings/{logical,zero,duplicate,compressed,stored,landing}; this object must outlive the registration.
  std::vector<StatDeclaration> declare(const std::string& prefix) const;

 private:
  Gauge m_logical, m_zero, m_duplicate, m_compressed, m_stored, m_landing;
};

}  // namespace quarry
