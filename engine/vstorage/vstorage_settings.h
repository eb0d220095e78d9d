// SPDX-License-Identifier: GPL-3.0-or-later
// The durable settings of one vstorage, kept as JSON in its row of namespace.db, and the rules for what a user may choose.
// Pure functions; safe from any thread. Failure: InvalidArgument with a sentence for the user; Corrupt for a damaged row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/protocol/messages.h"
#include "engine/protocol/vstorage_rules.h"

namespace quarry {

struct VstorageSettings {
  protocol::WriteMode writeMode = protocol::WriteMode::Safe;
  std::vector<std::string> clients;   // addresses or CIDR ranges; empty: loopback only
  protocol::Squash squash = protocol::Squash::None;
  bool readOnly = false;
  uint64_t quotaBytes = 0;            // 0: none
  std::string createdAt;              // ISO 8601
  protocol::Policy policy;
};

inline constexpr size_t excludesMax = 256;        // patterns in one policy

std::string encodeSettings(const VstorageSettings& settings);
Result<VstorageSettings> decodeSettings(std::string_view json);

using protocol::checkVstorageName;
Result<void> checkSettings(const VstorageSettings& settings);
Result<void> checkPolicy(const protocol::Policy& policy);

}  // namespace quarry
