// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export_change.h"

#include <algorithm>

#include "engine/protocol/names.h"

namespace quarry {

namespace {
std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text.empty() ? "nobody" : text;
}

std::string quotaText(uint64_t bytes) { return bytes == 0 ? "none" : std::to_string(bytes) + " bytes"; }

void add(std::string& text, const std::string& what, const std::string& before, const std::string& after) {
  if (before == after) return;
  if (!text.empty()) text += ", ";
  text += what + ": " + before + " -> " + after;
}
}  // namespace

ExportChange exportChange(const protocol::VstorageInfo& before, const protocol::VstorageInfo& after) {
  ExportChange change;
  add(change.text, "clients", joined(before.clients), joined(after.clients));
  add(change.text, "squash", std::string(protocol::name(before.squash)), std::string(protocol::name(after.squash)));
  add(change.text, "read-only", before.readOnly ? "yes" : "no", after.readOnly ? "yes" : "no");
  add(change.text, "write mode", std::string(protocol::name(before.writeMode)), std::string(protocol::name(after.writeMode)));
  add(change.text, "quota", quotaText(before.quotaBytes), quotaText(after.quotaBytes));
  const bool hasNewClients = std::any_of(after.clients.begin(), after.clients.end(), [&before](const std::string& client) {
    return std::find(before.clients.begin(), before.clients.end(), client) == before.clients.end();
  });
  const bool squashesLess = before.squash != after.squash && (after.squash == protocol::Squash::None || before.squash == protocol::Squash::All);
  const bool protectsLess = before.writeMode != after.writeMode && after.writeMode == protocol::WriteMode::Ram;
  change.opensAccess = hasNewClients || squashesLess || protectsLess || (before.readOnly && !after.readOnly);
  return change;
}

}  // namespace quarry
