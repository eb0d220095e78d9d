// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/hook_index.h"

#include "engine/base/bytes.h"

namespace quarry::metadata::hook_index {

namespace {
uint64_t keyOf(const std::array<std::byte, 16>& fingerprint) { return loadLittle<uint64_t>(fingerprint.data()); }
}  // namespace

Result<void> insert(Database& database, const std::vector<Hook>& hooks) {
  if (hooks.empty()) return {};
  auto statement = database.prepare("INSERT OR IGNORE INTO hooks VALUES (?, ?)");
  if (!statement) return fail(statement.error());
  for (const Hook& hook : hooks) {
    if (auto inserted = statement->bind(keyOf(hook.fingerprint), hook.block).run(); !inserted) return inserted;
  }
  return {};
}

Result<std::optional<PhysicalBlock>> find(Database& database, const std::array<std::byte, 16>& fingerprint) {
  auto statement = database.prepare("SELECT block FROM hooks WHERE key = ?");
  if (!statement) return fail(statement.error());
  auto row = statement->bind(keyOf(fingerprint)).step();
  if (!row) return fail(row.error());
  if (!*row) return std::nullopt;
  return statement->unsignedInteger(0);
}

}  // namespace quarry::metadata::hook_index
