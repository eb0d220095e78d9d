// SPDX-License-Identifier: GPL-3.0-or-later
// Logging to standard error, one log per component ("nfs", "dedup", …). Safe from any thread. What is below the level costs nothing but
// the call. Formatting is compiled once, in log.cpp: fmt's and spdlog's templates would cost each source that logs a second.
#pragma once

#include <fmt/core.h>

#include <string>

namespace spdlog {
class logger;
}

namespace quarry {

enum class LogLevel { Debug, Info, Warning, Error, Critical };

// Refers to what lives as long as the process; copied at will.
class Log {
 public:
  explicit Log(spdlog::logger& logger) : m_logger(&logger) {}

  template <class... Args>
  void debug(fmt::format_string<Args...> text, Args&&... args) const {
    write(LogLevel::Debug, text, fmt::make_format_args(args...));
  }
  template <class... Args>
  void info(fmt::format_string<Args...> text, Args&&... args) const {
    write(LogLevel::Info, text, fmt::make_format_args(args...));
  }
  template <class... Args>
  void warn(fmt::format_string<Args...> text, Args&&... args) const {
    write(LogLevel::Warning, text, fmt::make_format_args(args...));
  }
  template <class... Args>
  void error(fmt::format_string<Args...> text, Args&&... args) const {
    write(LogLevel::Error, text, fmt::make_format_args(args...));
  }
  template <class... Args>
  void critical(fmt::format_string<Args...> text, Args&&... args) const {
    write(LogLevel::Critical, text, fmt::make_format_args(args...));
  }
  void write(LogLevel level, fmt::string_view text, fmt::format_args args = {}) const;

 private:
  spdlog::logger* m_logger;
};

// Sets level and pattern for all components. Call once, before other threads start.
void setUpLog(const std::string& level);
// The component's log; made on first use.
Log log(const std::string& component);

}  // namespace quarry
