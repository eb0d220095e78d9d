// SPDX-License-Identifier: GPL-3.0-or-later
// Logging through spdlog, one logger per component ("nfs", "dedup", …). Safe from any thread.
#pragma once

#include <spdlog/logger.h>

#include <memory>
#include <string>

namespace quarry {
// Sets level and pattern for all components. Call once, before other threads start.
void setUpLog(const std::string& level);
// The component's logger; made on first use, lives as long as the process.
spdlog::logger& log(const std::string& component);
}  // namespace quarry
