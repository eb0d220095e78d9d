// SPDX-License-Identifier: GPL-3.0-or-later
// What pages say about savings, derived from protocol::Savings in one place. Pure functions, safe from any thread. Ratios 0…1;
// factors ≥ 1 when something was saved, 1 when there is nothing to measure.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/protocol/messages.h"

namespace quarry {

protocol::Savings totalSavings(const std::vector<protocol::VstorageInfo>& vstorages);
uint64_t nonZeroBytes(const protocol::Savings& savings);          // logical without holes and zero blocks
uint64_t afterDedupBytes(const protocol::Savings& savings);       // non-zero without duplicates
uint64_t afterCompressionBytes(const protocol::Savings& savings); // and without what compression removed
uint64_t savedBytes(const protocol::Savings& savings);            // duplicate + compressed away
double savedRatio(const protocol::Savings& savings);
double dedupFactor(const protocol::Savings& savings);
double compressionFactor(const protocol::Savings& savings);

}  // namespace quarry
