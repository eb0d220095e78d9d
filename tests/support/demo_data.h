// SPDX-License-Identifier: GPL-3.0-or-later
// A small virtualization site as protocol values: two vstorages, 35 VMs (some with very long names), jobs, events, statistics that
// look alive. The same seed gives the same numbers. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/protocol/messages.h"
#include "engine/protocol/stat_messages.h"

namespace quarry::test {

struct DemoData {
  protocol::EngineStatus status;
  std::vector<protocol::VstorageInfo> vstorages;
  std::vector<protocol::VmInfo> vms;
  std::vector<protocol::JobInfo> jobs;
  std::vector<protocol::Event> events;
  std::vector<protocol::StatDescription> descriptions;
  protocol::CacheInfo cache;
  protocol::CacheAdvice advice;
};

DemoData makeDemoData(uint32_t seed);
// Rises from nothing towards `best`, half of it at `halfBytes`.
protocol::CacheCurve demoCurve(const std::string& vstorage, double best, uint64_t halfBytes);
protocol::Savings demoSavings(uint64_t logicalBytes, double zeroShare, double duplicateShare, double compressedShare, double landingShare);
std::vector<protocol::StatDescription> describeAll(const std::vector<protocol::VstorageInfo>& vstorages, const std::vector<protocol::VmInfo>& vms);

// A value of this statistic at this time: a slow wave, a faster one and some noise around what is usual for its kind.
double demoValue(const std::string& id, int64_t unixMs, uint32_t seed);

}  // namespace quarry::test
