// SPDX-License-Identifier: GPL-3.0-or-later
// Control protocol values ↔ JSON, and JSON-RPC 2.0 messages ↔ lines of bytes. Decoding never throws: whatever is wrong is
// ErrorCode::Protocol with a text that names the member. Stateless; safe from any thread. Fuzzed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/protocol/messages.h"
#include "engine/protocol/stat_messages.h"

namespace quarry::protocol {

inline constexpr size_t lineBytesMax = 16 * 1024 * 1024;  // one JSON object per line

// Numbers of JSON-RPC errors. What the engine itself refuses is rpcEngineError, its ErrorCode's name in data.error.
inline constexpr int rpcParseError = -32700, rpcInvalidRequest = -32600, rpcMethodNotFound = -32601, rpcInvalidParams = -32602;
inline constexpr int rpcEngineError = -32000;

// One message of JSON-RPC 2.0: a request (method, id), a notification (method, no id) or a reply (id, result or error).
struct RpcMessage {
  std::optional<int64_t> id;
  std::string method;         // empty in replies
  std::string params;         // JSON text of params or result; "null" when absent
  std::optional<Error> error; // in replies
};

Result<RpcMessage> decodeLine(std::string_view line);
std::string encodeRequest(int64_t id, std::string_view method, std::string_view params);       // all end with '\n'
std::string encodeNotification(std::string_view method, std::string_view params);
std::string encodeResult(int64_t id, std::string_view result);
std::string encodeError(std::optional<int64_t> id, const Error& error, int rpcCode = rpcEngineError);

// toJson / fromJson exist for every struct of messages.h and stat_messages.h, for std::vector of them and for std::monostate, the
// empty result ("null"). Unknown members are ignored, missing ones keep their default, and "null" in a struct's place is the struct
// with all defaults (absent params). Instantiated in codec.cpp.
template <class T>
std::string toJson(const T& value);
template <class T>
Result<T> fromJson(std::string_view json);

}  // namespace quarry::protocol
