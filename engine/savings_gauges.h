// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the savings gauges of the engine and of each vstorage up to date, and what clients see as the space that a file uses: counts every few
// seconds, away from the data path.
// Threads: run() once, on one executor; stop() from any thread. References outlive run()'s coroutine.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "engine/base/async.h"
#include "engine/stats/savings_stats.h"
#include "engine/ticker.h"
#include "engine/vstorage/savings_accountant.h"
#include "engine/vstorage/vstorage_table.h"

namespace quarry {

class SavingsGauges {
 public:
  static constexpr std::chrono::seconds period{5};
  static constexpr std::chrono::milliseconds ageMax{2000};

  SavingsGauges(StatRegistry& registry, SavingsAccountant& savings, VstorageTable& vstorages, metadata::InodeTable& inodes);
  Task<void> run();  // until stop()
  void stop() { m_ticker.stop(); }

 private:
  struct Gauges {
    SavingsStats stats;
    StatRegistration registration;  // ends before what it reads
  };
  Gauges& gaugesOf(const std::string& prefix);
  void update(const SavingsSnapshot& snapshot);
  void noteUsed(std::shared_ptr<const SavingsSnapshot> snapshot);

  StatRegistry& m_registry;
  SavingsAccountant& m_savings;
  VstorageTable& m_vstorages;
  metadata::InodeTable& m_inodes;
  std::shared_ptr<const SavingsSnapshot> m_noted = std::make_shared<SavingsSnapshot>();  // run() only
  std::map<std::string, std::unique_ptr<Gauges>> m_gauges;  // by prefix; run() only
  Ticker m_ticker;
};

}  // namespace quarry
