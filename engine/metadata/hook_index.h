// SPDX-License-Identifier: GPL-3.0-or-later
// The hooks of blocks.db: sampled fingerprint → physical block. A row holds the first 8 bytes of the fingerprint alone, to keep a
// terabyte's index small: a hit leads to a container whose fingerprint list then proves it. Of two hooks with one key the first stays.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/metadata/database.h"
#include "engine/metadata/recipe_table.h"

namespace quarry::metadata::hook_index {

Result<void> insert(Database& database, const std::vector<Hook>& hooks);  // in the caller's transaction
Result<std::optional<PhysicalBlock>> find(Database& database, const std::array<std::byte, 16>& fingerprint);

}  // namespace quarry::metadata::hook_index
