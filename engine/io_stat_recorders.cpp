// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io_stat_recorders.h"

#include "engine/stats/io_stats.h"

namespace quarry {
namespace {

class IoStatRecorder : public IoRecorder {
 public:
  IoStatRecorder(StatRegistry& registry, const std::string& id) : m_registration(registry.add(m_stats.declare(id))) {}

  void record(IoKind kind, uint64_t bytes, std::chrono::nanoseconds latency) override {
    const auto latencyNs = static_cast<uint64_t>(latency.count());
    if (kind == IoKind::Read)
      m_stats.recordRead(bytes, latencyNs);
    else
      m_stats.recordWrite(bytes, latencyNs);
  }
  void recordBlocks(uint64_t fromRam, uint64_t fromDisk) override { m_stats.recordBlocks(fromRam, fromDisk); }

 private:
  IoStats m_stats;
  StatRegistration m_registration;  // ends before what it reads
};

}  // namespace

std::shared_ptr<IoRecorder> IoStatRecorders::open(const std::string& id) {
  const Lock lock(m_mutex);
  std::weak_ptr<IoRecorder>& known = m_recorders[id];
  if (auto recorder = known.lock()) return recorder;
  std::erase_if(m_recorders, [&id](const auto& entry) { return entry.first != id && entry.second.expired(); });
  auto recorder = std::make_shared<IoStatRecorder>(m_registry, id);
  m_recorders[id] = recorder;
  return recorder;
}

}  // namespace quarry
