// SPDX-License-Identifier: GPL-3.0-or-later
// Savings as lines of a report, the same for the engine, a vstorage, a VM and a file. Pure functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/quarryctl/amount.h"
#include "engine/protocol/messages.h"

namespace quarry::ctl {

inline void appendSavings(std::vector<std::pair<std::string, std::string>>& fields, const protocol::Savings& savings) {
  fields.emplace_back("logical", sizeText(savings.logicalBytes));
  fields.emplace_back("  zero", sizeText(savings.zeroBytes));
  fields.emplace_back("  duplicate", sizeText(savings.duplicateBytes));
  fields.emplace_back("  compressed away", sizeText(savings.compressedAwayBytes));
  fields.emplace_back("  stored", sizeText(savings.storedBytes));
  fields.emplace_back("  not optimized yet", sizeText(savings.landingBytes));
  fields.emplace_back("saved", percentText(savings.savedRatio) + " of the non-zero bytes");
}

}  // namespace quarry::ctl
