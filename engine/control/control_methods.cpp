// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/control/control_methods.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "engine/protocol/codec.h"

namespace quarry {
namespace {

using namespace protocol;

template <class Value>
ControlAnswer toAnswer(Result<Value> result) {
  if (!result) return {.result = {}, .error = std::move(result.error()), .rpcCode = rpcEngineError};
  if constexpr (std::is_void_v<Value>) {
    return {.result = "null", .error = {}};
  } else {
    return {.result = toJson(*result), .error = {}};
  }
}

template <class Value>
using Verb = Task<Result<Value>> (ControlApi::*)();
template <class Value, class Request>
using VerbOf = Task<Result<Value>> (ControlApi::*)(Request);

template <auto verb>
struct Caller;

template <class Value, Verb<Value> verb>
struct Caller<verb> {
  static Task<ControlAnswer> call(ControlApi& api, std::string) {
    Result<Value> result = co_await (api.*verb)();
    co_return toAnswer(std::move(result));
  }
};

template <class Value, class Request, VerbOf<Value, Request> verb>
struct Caller<verb> {
  static Task<ControlAnswer> call(ControlApi& api, std::string params) {
    Result<Request> request = fromJson<Request>(params);
    if (!request) co_return ControlAnswer{.result = {}, .error = request.error(), .rpcCode = rpcInvalidParams};
    Result<Value> result = co_await (api.*verb)(std::move(*request));
    co_return toAnswer(std::move(result));
  }
};

template <auto verb>
constexpr ControlMethod method(std::string_view name) {
  return {name, &Caller<verb>::call};
}

constexpr std::array table{
    method<&ControlApi::showStatus>("status.show"),
    method<&ControlApi::createVstorage>("vstorage.create"),
    method<&ControlApi::listVstorages>("vstorage.list"),
    method<&ControlApi::showVstorage>("vstorage.show"),
    method<&ControlApi::setVstorage>("vstorage.set"),
    method<&ControlApi::removeVstorage>("vstorage.remove"),
    method<&ControlApi::showCache>("cache.show"),
    method<&ControlApi::sizeCache>("cache.size"),
    method<&ControlApi::adviseCache>("cache.advice"),
    method<&ControlApi::flushCache>("cache.flush"),
    method<&ControlApi::showPolicy>("policy.show"),
    method<&ControlApi::setPolicy>("policy.set"),
    method<&ControlApi::startJob>("job.start"),
    method<&ControlApi::listJobs>("job.list"),
    method<&ControlApi::showJob>("job.show"),
    method<&ControlApi::cancelJob>("job.cancel"),
    method<&ControlApi::listVms>("vm.list"),
    method<&ControlApi::showVm>("vm.show"),
    method<&ControlApi::listEvents>("event.list"),
    method<&ControlApi::describeStats>("stats.describe"),
    method<&ControlApi::showStats>("stats.show"),
    method<&ControlApi::statHistory>("stats.history"),
};

}  // namespace

std::span<const ControlMethod> controlMethods() { return table; }

const ControlMethod* findControlMethod(std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [name](const ControlMethod& row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace quarry
