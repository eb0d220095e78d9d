// SPDX-License-Identifier: GPL-3.0-or-later
// IoRecorders over the statistics registry: one IoStats a prefix, declared while anyone holds its recorder.
// Safe from any thread; record() is a few relaxed atomics. The registry outlives every recorder.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "engine/base/mutex.h"
#include "engine/stats/stat_registry.h"
#include "engine/vstorage/io_recorder.h"

namespace quarry {

class IoStatRecorders : public IoRecorders {
 public:
  explicit IoStatRecorders(StatRegistry& registry) : m_registry(registry) {}
  std::shared_ptr<IoRecorder> open(const std::string& id) override;

 private:
  StatRegistry& m_registry;
  Mutex m_mutex;
  std::map<std::string, std::weak_ptr<IoRecorder>> m_recorders GUARDED_BY(m_mutex);
};

}  // namespace quarry
