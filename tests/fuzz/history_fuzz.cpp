// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a history blob, as they are and with the header made right, so that the series are read too.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/checksum.h"
#include "engine/stats/history_rings.h"

using namespace quarry;

std::vector<std::string> fuzzSeeds() {
  HistoryRings rings;
  std::vector<std::string> seeds{std::string(asText(rings.toBlob()))};
  rings.add("engine/read/iops", 1'000'000'000, 1);
  rings.add("vstorage/a/read/iops", 1'000'060'000, 2);
  seeds.emplace_back(asText(rings.toBlob()));
  return seeds;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<std::byte> blob(size);
  if (size > 0) std::memcpy(blob.data(), data, size);
  HistoryRings rings;
  static_cast<void>(rings.fromBlob(blob));
  if (size < sizeof(HistoryHeader)) return 0;
  HistoryHeader header;
  std::memcpy(&header, blob.data(), sizeof header);
  header = {historyMagic, checksum(Bytes(blob).subspan(sizeof header)), historyVersion, header.seriesCount % 8};
  std::memcpy(blob.data(), &header, sizeof header);
  if (!rings.fromBlob(blob)) return 0;
  rings.add("engine/read/iops", 1'000'100'000, 3);
  QUARRY_CHECK(rings.series("engine/read/iops", 300, 1'000'100'000)->values.back() == 3);
  return 0;
}
