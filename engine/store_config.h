// SPDX-License-Identifier: GPL-3.0-or-later
// STORE/quarry.json: what makes a folder a store. Written once, at creation, durably; read at every start.
//   {"format": 1, "id": "<32 hex digits>", "key": "<64 hex digits>", "created": "<ISO 8601>"}
// The key signs file handles and keys fingerprints: without it neither means anything.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "engine/base/clock.h"
#include "engine/base/result.h"
#include "engine/os/file.h"

namespace quarry {

inline constexpr int storeFormat = 1;

struct StoreConfig {
  int format = storeFormat;
  std::array<std::byte, 16> id{};
  std::array<std::byte, 32> key{};
  std::string created;
};

// NotFound: the folder has no quarry.json. Corrupt: it is damaged. VersionTooNew: a newer Quarry wrote it.
Result<StoreConfig> readStoreConfig(os::FileSystem& fileSystem, const std::string& storePath);
// Makes a new store's file with a random id and key.
Result<StoreConfig> createStoreConfig(os::FileSystem& fileSystem, const std::string& storePath, const Clock& clock);

std::string toHex(Bytes bytes);

}  // namespace quarry
