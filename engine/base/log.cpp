// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "engine/base/mutex.h"

namespace quarry {

void setUpLog(const std::string& level) {
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %^%l%$ %n: %v", spdlog::pattern_time_type::utc);
  spdlog::set_level(spdlog::level::from_str(level));
}

spdlog::logger& log(const std::string& component) {
  static Mutex mutex;
  Lock lock(mutex);
  if (auto logger = spdlog::get(component)) return *logger;
  return *spdlog::stderr_color_mt(component);
}

}  // namespace quarry
