// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/savings.h"

namespace quarry {
namespace {

// The engine's numbers are read one after the other while it works, so a difference may fall below zero for a moment.
uint64_t minus(uint64_t from, uint64_t part) { return part > from ? 0 : from - part; }

double factorOf(uint64_t before, uint64_t after) { return after == 0 ? 1 : static_cast<double>(before) / static_cast<double>(after); }

}  // namespace

protocol::Savings totalSavings(const std::vector<protocol::VstorageInfo>& vstorages) {
  protocol::Savings total;
  for (const protocol::VstorageInfo& vstorage : vstorages) {
    const protocol::Savings& one = vstorage.savings;
    total.logicalBytes += one.logicalBytes;
    total.zeroBytes += one.zeroBytes;
    total.duplicateBytes += one.duplicateBytes;
    total.compressedAwayBytes += one.compressedAwayBytes;
    total.storedBytes += one.storedBytes;
    total.landingBytes += one.landingBytes;
  }
  total.savedRatio = savedRatio(total);
  return total;
}

uint64_t nonZeroBytes(const protocol::Savings& savings) { return minus(savings.logicalBytes, savings.zeroBytes); }

uint64_t afterDedupBytes(const protocol::Savings& savings) { return minus(nonZeroBytes(savings), savings.duplicateBytes); }

uint64_t afterCompressionBytes(const protocol::Savings& savings) { return minus(afterDedupBytes(savings), savings.compressedAwayBytes); }

uint64_t savedBytes(const protocol::Savings& savings) { return savings.duplicateBytes + savings.compressedAwayBytes; }

double savedRatio(const protocol::Savings& savings) {
  const uint64_t whole = nonZeroBytes(savings);
  return whole == 0 ? 0 : static_cast<double>(minus(whole, afterCompressionBytes(savings))) / static_cast<double>(whole);
}

double dedupFactor(const protocol::Savings& savings) { return factorOf(nonZeroBytes(savings), afterDedupBytes(savings)); }

double compressionFactor(const protocol::Savings& savings) { return factorOf(afterDedupBytes(savings), afterCompressionBytes(savings)); }

}  // namespace quarry
