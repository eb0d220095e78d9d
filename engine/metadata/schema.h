// SPDX-License-Identifier: GPL-3.0-or-later
// The three databases of a store: their formats and how they are opened. The tables stand in the .sql files beside this one,
// which are compiled in.
#pragma once

#include <memory>
#include <string>

#include "engine/base/result.h"
#include "engine/metadata/database.h"

namespace quarry::metadata {

const DatabaseFormat& namespaceFormat();
const DatabaseFormat& blocksFormat();
const DatabaseFormat& historyFormat();

Result<std::unique_ptr<Database>> openNamespaceDatabase(const std::string& path, DatabaseMode mode);
Result<std::unique_ptr<Database>> openBlocksDatabase(const std::string& path, DatabaseMode mode);
Result<std::unique_ptr<Database>> openHistoryDatabase(const std::string& path, DatabaseMode mode);

}  // namespace quarry::metadata
