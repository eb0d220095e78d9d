// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/codec.h"

#include <cmath>
#include <limits>
#include <map>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/protocol/json_text.h"
#include "engine/protocol/members.h"
#include "engine/protocol/names.h"

namespace quarry::protocol {
namespace {

using nlohmann::json;

template <class T>
inline constexpr bool isVector = false;
template <class T>
inline constexpr bool isVector<std::vector<T>> = true;
template <class T>
inline constexpr bool isOptional = false;
template <class T>
inline constexpr bool isOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool isPlain = std::is_arithmetic_v<T> || std::same_as<T, std::string> || std::same_as<T, std::map<std::string, double>>;

// --- values to JSON ---

template <class T>
json encode(const T& value);

struct Encoder {
  json object = json::object();

  template <class Member>
  void operator()(const char* memberName, const Member& member) {
    if constexpr (isOptional<Member>) {
      if (member) object[memberName] = encode(*member);
    } else {
      object[memberName] = encode(member);
    }
  }
};

template <class T>
json encode(const T& value) {
  if constexpr (std::same_as<T, std::monostate>) {
    return nullptr;
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(name(value));
  } else if constexpr (isPlain<T>) {
    return value;
  } else if constexpr (isVector<T>) {
    json array = json::array();
    for (const auto& element : value) array.push_back(encode(element));
    return array;
  } else {
    Encoder encoder;
    members(encoder, value);
    return std::move(encoder.object);
  }
}

// --- JSON to values ---

// What is wrong and the path of members that leads to it, built while returning.
struct Fault {
  std::string path;
  std::string text;
};
using Checked = std::optional<Fault>;

template <class T>
Checked decode(const json& from, T& into);

Checked decodePlain(const json& from, std::string& into) {
  if (!from.is_string()) return Fault{"", "must be a text"};
  into = from.get_ref<const std::string&>();
  return std::nullopt;
}

Checked decodePlain(const json& from, bool& into) {
  if (!from.is_boolean()) return Fault{"", "must be true or false"};
  into = from.get<bool>();
  return std::nullopt;
}

Checked decodePlain(const json& from, double& into) {
  if (!from.is_number() && !from.is_null()) return Fault{"", "must be a number or null"};
  into = from.is_null() ? std::numeric_limits<double>::quiet_NaN() : from.get<double>();
  return std::nullopt;
}

Checked decodePlain(const json& from, uint64_t& into) {
  if (!from.is_number_unsigned()) return Fault{"", "must be a whole number, 0 or more"};
  into = from.get<uint64_t>();
  return std::nullopt;
}

template <std::signed_integral Int>
Checked decodePlain(const json& from, Int& into) {
  if (!from.is_number_integer()) return Fault{"", "must be a whole number"};
  const bool fits = from.is_number_unsigned() ? std::in_range<Int>(from.get<uint64_t>()) : std::in_range<Int>(from.get<int64_t>());
  if (!fits) return Fault{"", "is out of range"};
  into = static_cast<Int>(from.get<int64_t>());
  return std::nullopt;
}

Checked decodePlain(const json& from, std::map<std::string, double>& into) {
  if (!from.is_object()) return Fault{"", "must be an object"};
  into.clear();
  for (const auto& [key, value] : from.items())
    if (Checked fault = decodePlain(value, into[key])) return Fault{"." + key, fault->text};
  return std::nullopt;
}

template <class Enum>
Checked decodeEnum(const json& from, Enum& into) {
  if (!from.is_string()) return Fault{"", "must be a text"};
  const auto& text = from.get_ref<const std::string&>();
  if constexpr (std::same_as<Enum, Unit>) {
    into = unitFromName(text);
    return std::nullopt;
  } else {
    const std::optional<Enum> found = enumFromName<Enum>(text);
    if (!found) return Fault{"", "must be one of " + enumNames<Enum>()};
    into = *found;
    return std::nullopt;
  }
}

template <class Element>
Checked decodeVector(const json& from, std::vector<Element>& into) {
  if (!from.is_array()) return Fault{"", "must be a list"};
  into.clear();
  into.reserve(from.size());
  for (size_t i = 0; i < from.size(); ++i) {
    Element element{};
    if (Checked fault = decode(from[i], element)) return Fault{"[" + std::to_string(i) + "]" + fault->path, fault->text};
    into.push_back(std::move(element));
  }
  return std::nullopt;
}

struct Decoder {
  const json& object;
  Checked fault = std::nullopt;

  template <class Member>
  void operator()(const char* memberName, Member& member) {
    const auto found = object.find(memberName);
    if (fault || found == object.end()) return;
    fault = decodeMember(*found, member);
    if (fault) fault->path = std::string(".").append(memberName).append(fault->path);
  }

  template <class Member>
  static Checked decodeMember(const json& from, Member& member) {
    if constexpr (isOptional<Member>) {
      if (from.is_null()) return std::nullopt;
      return decode(from, member.emplace());
    } else {
      return decode(from, member);
    }
  }
};

template <class T>
Checked decode(const json& from, T& into) {
  if constexpr (std::same_as<T, std::monostate>) {
    return std::nullopt;
  } else if constexpr (std::is_enum_v<T>) {
    return decodeEnum(from, into);
  } else if constexpr (isPlain<T>) {
    return decodePlain(from, into);
  } else if constexpr (isVector<T>) {
    return decodeVector(from, into);
  } else {
    if (!from.is_object()) return Fault{"", "must be an object"};
    Decoder decoder{from};
    members(decoder, into);
    return decoder.fault;
  }
}

}  // namespace

template <class T>
std::string toJson(const T& value) {
  return dumpJson(encode(value));
}

template <class T>
Result<T> fromJson(std::string_view text) {
  const Result<json> parsed = parseJson(text);
  if (!parsed) return fail(parsed.error());
  T value{};
  if (parsed->is_null() && !isVector<T>) return value;
  const Checked fault = decode(*parsed, value);
  if (!fault) return value;
  if (fault->path.empty()) return fail(ErrorCode::Protocol, "the value " + fault->text);
  return fail(ErrorCode::Protocol, "member '" + fault->path.substr(fault->path[0] == '.' ? 1 : 0) + "' " + fault->text);
}

// One line per message makes both directions for it and for lists of it.
#define QUARRY_MESSAGE(Message)                                                          \
  template std::string toJson(const Message&);                                           \
  template Result<Message> fromJson<Message>(std::string_view);                          \
  template std::string toJson(const std::vector<Message>&);                              \
  template Result<std::vector<Message>> fromJson<std::vector<Message>>(std::string_view);

QUARRY_MESSAGE(Hello)
QUARRY_MESSAGE(Savings)
QUARRY_MESSAGE(Space)
QUARRY_MESSAGE(EngineStatus)
QUARRY_MESSAGE(Policy)
QUARRY_MESSAGE(VstorageInfo)
QUARRY_MESSAGE(VstorageCreate)
QUARRY_MESSAGE(VstorageSet)
QUARRY_MESSAGE(VstorageRemove)
QUARRY_MESSAGE(VstorageRequest)
QUARRY_MESSAGE(PolicySet)
QUARRY_MESSAGE(JobStart)
QUARRY_MESSAGE(JobRequest)
QUARRY_MESSAGE(JobInfo)
QUARRY_MESSAGE(VmList)
QUARRY_MESSAGE(VmShow)
QUARRY_MESSAGE(VmInfo)
QUARRY_MESSAGE(VmFile)
QUARRY_MESSAGE(VmDetail)
QUARRY_MESSAGE(CacheVstorage)
QUARRY_MESSAGE(CacheInfo)
QUARRY_MESSAGE(CacheSizeSet)
QUARRY_MESSAGE(CachePoint)
QUARRY_MESSAGE(CacheCurve)
QUARRY_MESSAGE(CacheAdvice)
QUARRY_MESSAGE(CacheFlush)
QUARRY_MESSAGE(CacheFlushed)
QUARRY_MESSAGE(Event)
QUARRY_MESSAGE(StatDescription)
QUARRY_MESSAGE(StatSample)
QUARRY_MESSAGE(StatSubscribe)
QUARRY_MESSAGE(StatHistoryRequest)
QUARRY_MESSAGE(StatSeries)
#undef QUARRY_MESSAGE
template std::string toJson(const std::monostate&);
template Result<std::monostate> fromJson<std::monostate>(std::string_view);

}  // namespace quarry::protocol
