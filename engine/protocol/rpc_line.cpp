// SPDX-License-Identifier: GPL-3.0-or-later
// JSON-RPC 2.0 (https://www.jsonrpc.org/specification) messages, one per line; no batches, ids are integers.
#include <limits>

#include "engine/protocol/codec.h"
#include "engine/protocol/json_text.h"

namespace quarry::protocol {
namespace {

using nlohmann::json;

const json* find(const json& object, const char* member) {
  const auto found = object.find(member);
  return found == object.end() ? nullptr : &*found;
}

Result<std::optional<int64_t>> decodeId(const json* id) {
  if (!id || id->is_null()) return std::nullopt;
  const bool fits = id->is_number_integer() && (!id->is_number_unsigned() || id->get<uint64_t>() <= uint64_t{std::numeric_limits<int64_t>::max()});
  if (!fits) return fail(ErrorCode::Protocol, "member 'id' must be a whole number");
  return id->get<int64_t>();
}

// Errors of our own engine carry their name; those that JSON-RPC defines are told by number.
ErrorCode codeOf(const json& error) {
  const json* data = find(error, "data");
  const json* known = data && data->is_object() ? find(*data, "error") : nullptr;
  if (known && known->is_string()) return errorCodeFromName(known->get<std::string>());
  const json* number = find(error, "code");
  const int64_t code = number && number->is_number_integer() ? number->get<int64_t>() : 0;
  if (code == rpcMethodNotFound) return ErrorCode::NotSupported;
  if (code == rpcInvalidParams) return ErrorCode::InvalidArgument;
  return code == rpcParseError || code == rpcInvalidRequest ? ErrorCode::Protocol : ErrorCode::Internal;
}

Result<RpcMessage> decodeCall(const json& object, RpcMessage message) {
  const json& method = *find(object, "method");
  if (!method.is_string() || method.get_ref<const std::string&>().empty()) return fail(ErrorCode::Protocol, "member 'method' must be a name");
  if (find(object, "id") && !message.id) return fail(ErrorCode::Protocol, "member 'id' of a request must not be null");
  const json* params = find(object, "params");
  if (params && !params->is_object() && !params->is_null()) return fail(ErrorCode::Protocol, "member 'params' must be an object");
  message.method = method.get<std::string>();
  message.params = params ? dumpJson(*params) : "null";
  return message;
}

Result<RpcMessage> decodeReply(const json& object, RpcMessage message) {
  const json* result = find(object, "result");
  const json* error = find(object, "error");
  if ((result != nullptr) == (error != nullptr)) return fail(ErrorCode::Protocol, "a message needs one of 'method', 'result' and 'error'");
  message.params = result ? dumpJson(*result) : "null";
  if (!error) {
    if (!message.id) return fail(ErrorCode::Protocol, "member 'id' of a result is missing");
    return message;
  }
  if (!error->is_object()) return fail(ErrorCode::Protocol, "member 'error' must be an object");
  const json* text = find(*error, "message");
  if (!text || !text->is_string()) return fail(ErrorCode::Protocol, "member 'error.message' must be a text");
  message.error = Error{codeOf(*error), text->get<std::string>()};
  return message;
}

std::string envelope(const std::string& members) { return R"({"jsonrpc":"2.0",)" + members + "}\n"; }

std::string callMembers(std::string_view method, std::string_view params) {
  std::string members = R"("method":)" + dumpJson(std::string(method));
  if (params != "null" && !params.empty()) members.append(R"(,"params":)").append(params);
  return members;
}

}  // namespace

Result<RpcMessage> decodeLine(std::string_view line) {
  const Result<json> object = parseJson(line);
  if (!object) return fail(object.error());
  if (!object->is_object()) return fail(ErrorCode::Protocol, "not a JSON object");
  const json* version = find(*object, "jsonrpc");
  if (!version || *version != "2.0") return fail(ErrorCode::Protocol, "member 'jsonrpc' must be \"2.0\"");
  const Result<std::optional<int64_t>> id = decodeId(find(*object, "id"));
  if (!id) return fail(id.error());
  RpcMessage message;
  message.id = *id;
  return find(*object, "method") ? decodeCall(*object, std::move(message)) : decodeReply(*object, std::move(message));
}

std::string encodeRequest(int64_t id, std::string_view method, std::string_view params) {
  return envelope(R"("id":)" + std::to_string(id) + "," + callMembers(method, params));
}

std::string encodeNotification(std::string_view method, std::string_view params) { return envelope(callMembers(method, params)); }

std::string encodeResult(int64_t id, std::string_view result) {
  return envelope(R"("id":)" + std::to_string(id) + R"(,"result":)" + std::string(result.empty() ? "null" : result));
}

std::string encodeError(std::optional<int64_t> id, const Error& error, int rpcCode) {
  const json body = {{"code", rpcCode}, {"message", error.message}, {"data", {{"error", std::string(name(error.code))}}}};
  return envelope(R"("id":)" + (id ? std::to_string(*id) : "null") + R"(,"error":)" + dumpJson(body));
}

}  // namespace quarry::protocol
