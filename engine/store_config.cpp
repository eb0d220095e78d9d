// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store_config.h"

#include <openssl/rand.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "engine/base/iso_time.h"

namespace quarry {
namespace {

std::string configPath(const std::string& storePath) { return storePath + "/quarry.json"; }

bool fromHex(const std::string& text, MutableBytes into) {
  if (text.size() != into.size() * 2) return false;
  for (size_t i = 0; i < into.size(); ++i) {
    unsigned value = 0;
    const char* first = text.data() + i * 2;
    const auto parsed = std::from_chars(first, first + 2, value, 16);
    if (parsed.ec != std::errc() || parsed.ptr != first + 2) return false;
    into[i] = static_cast<std::byte>(value);
  }
  return true;
}

bool randomBytes(MutableBytes into) { return RAND_bytes(reinterpret_cast<unsigned char*>(into.data()), static_cast<int>(into.size())) == 1; }

}  // namespace

std::string toHex(Bytes bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += digits[static_cast<unsigned>(byte) >> 4];
    text += digits[static_cast<unsigned>(byte) & 15];
  }
  return text;
}

Result<StoreConfig> readStoreConfig(os::FileSystem& fileSystem, const std::string& storePath) {
  auto text = fileSystem.readFile(configPath(storePath));
  if (!text) {
    const auto code = text.error().code == ErrorCode::Lost ? ErrorCode::NotFound : text.error().code;
    return fail(code, text.error().message);
  }
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  const auto damaged = [&storePath] {
    return fail(ErrorCode::Corrupt, configPath(storePath) + " is damaged; bring it back from a backup of this store");
  };
  if (!json.is_object() || !json.contains("format") || !json["format"].is_number_integer()) return damaged();
  StoreConfig config;
  config.format = json["format"].get<int>();
  if (config.format > storeFormat)
    return fail(ErrorCode::VersionTooNew, storePath + " has store format " + std::to_string(config.format) + ", this Quarry knows up to " +
                                              std::to_string(storeFormat) + "; install a newer Quarry");
  if (!json.contains("id") || !json["id"].is_string() || !fromHex(json["id"].get<std::string>(), config.id)) return damaged();
  if (!json.contains("key") || !json["key"].is_string() || !fromHex(json["key"].get<std::string>(), config.key)) return damaged();
  if (json.contains("created") && json["created"].is_string()) config.created = json["created"].get<std::string>();
  return config;
}

Result<StoreConfig> createStoreConfig(os::FileSystem& fileSystem, const std::string& storePath, const Clock& clock) {
  StoreConfig config;
  if (!randomBytes(config.id) || !randomBytes(config.key)) return fail(ErrorCode::Internal, "the system gives no random numbers");
  config.created = isoTime(clock.now());
  const nlohmann::json json{{"format", config.format}, {"id", toHex(config.id)}, {"key", toHex(config.key)}, {"created", config.created}};
  if (auto written = fileSystem.replaceFile(configPath(storePath), json.dump(2) + "\n"); !written) return fail(written.error());
  return config;
}

}  // namespace quarry
