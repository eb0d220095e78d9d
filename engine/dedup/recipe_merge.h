// SPDX-License-Identifier: GPL-3.0-or-later
// The recipe of a segment after its landed blocks were placed. Pure; safe from any thread.
#pragma once

#include "engine/metadata/recipe_table.h"
#include "engine/vstorage/file_data.h"

namespace quarry::dedup {

// Landing wins: a landed block is what `placed` says (zero when it is in no extent there); any other stays what `existing` says.
// Extents that continue each other in file and store are one.
metadata::Recipe mergeRecipe(const metadata::Recipe& existing, const LandedBlocks& landed, const metadata::Recipe& placed);

}  // namespace quarry::dedup
