// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/vstorage_settings.h"

#include <nlohmann/json.hpp>

#include "engine/protocol/codec.h"
#include "engine/protocol/names.h"

namespace quarry {

namespace {
constexpr size_t patternBytesMax = 4096;
constexpr int levelMin = 1, levelMax = 19;  // of zstd

tl::unexpected<Error> refuse(std::string message) { return fail(ErrorCode::InvalidArgument, std::move(message)); }
}  // namespace

// In the words of the protocol, less what is not a setting: settings written by this version are read by every later one of the protocol.
std::string encodeSettings(const VstorageSettings& settings) {
  nlohmann::json json;
  json["writeMode"] = std::string(protocol::name(settings.writeMode));
  json["clients"] = settings.clients;
  json["squash"] = std::string(protocol::name(settings.squash));
  json["readOnly"] = settings.readOnly;
  json["quotaBytes"] = settings.quotaBytes;
  json["createdAt"] = settings.createdAt;
  json["policy"] = nlohmann::json::parse(protocol::toJson(settings.policy), nullptr, false);
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<VstorageSettings> decodeSettings(std::string_view json) {
  auto info = protocol::fromJson<protocol::VstorageInfo>(json);
  if (!info) return fail(ErrorCode::Corrupt, "settings: " + info.error().message);
  VstorageSettings settings;
  settings.writeMode = info->writeMode;
  settings.clients = std::move(info->clients);
  settings.squash = info->squash;
  settings.readOnly = info->readOnly;
  settings.quotaBytes = info->quotaBytes;
  settings.createdAt = std::move(info->createdAt);
  settings.policy = std::move(info->policy);
  return settings;
}

Result<void> checkSettings(const VstorageSettings& settings) {
  if (auto clients = protocol::checkClients(settings.clients); !clients) return fail(clients.error());
  return checkPolicy(settings.policy);
}

Result<void> checkPolicy(const protocol::Policy& policy) {
  if (policy.level < levelMin || policy.level > levelMax) return refuse("the compression level must be 1 to 19");
  if (policy.exclude.size() > excludesMax) return refuse("at most 256 excluded patterns");
  for (const std::string& pattern : policy.exclude)
    if (pattern.empty() || pattern.size() > patternBytesMax) return refuse("an excluded pattern has 1 to 4096 bytes");
  return {};
}

}  // namespace quarry
