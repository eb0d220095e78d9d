// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "engine/base/mutex.h"

namespace quarry {

namespace {
spdlog::level::level_enum spdlogLevel(LogLevel level) {
  switch (level) {
    case LogLevel::Debug: return spdlog::level::debug;
    case LogLevel::Info: return spdlog::level::info;
    case LogLevel::Warning: return spdlog::level::warn;
    case LogLevel::Error: return spdlog::level::err;
    case LogLevel::Critical: return spdlog::level::critical;
  }
  return spdlog::level::critical;
}
}  // namespace

void setUpLog(const std::string& level) {
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %^%l%$ %n: %v", spdlog::pattern_time_type::utc);
  spdlog::set_level(spdlog::level::from_str(level));
}

Log log(const std::string& component) {
  static Mutex mutex;
  Lock lock(mutex);
  if (auto logger = spdlog::get(component)) return Log(*logger);
  return Log(*spdlog::stderr_color_mt(component));
}

void Log::write(LogLevel level, fmt::string_view text, fmt::format_args args) const {
  const spdlog::level::level_enum shown = spdlogLevel(level);
  if (m_logger->should_log(shown)) m_logger->log(shown, spdlog::string_view_t(fmt::vformat(text, args)));
}

}  // namespace quarry
