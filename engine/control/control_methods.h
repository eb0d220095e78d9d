// SPDX-License-Identifier: GPL-3.0-or-later
// The table from "noun.verb" to a call of ControlApi: decode params, call, encode the result, nothing else. stats.subscribe is not in
// it: it belongs to a connection. Stateless; safe from any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/async.h"
#include "engine/base/result.h"
#include "engine/control/control_api.h"

namespace quarry {

struct ControlAnswer {
  std::string result;          // JSON text
  std::optional<Error> error;  // then result is empty
  int rpcCode = 0;             // of the error
};

struct ControlMethod {
  std::string_view name;
  Task<ControlAnswer> (*call)(ControlApi& api, std::string params);
};

std::span<const ControlMethod> controlMethods();
const ControlMethod* findControlMethod(std::string_view name);  // null: no such method

}  // namespace quarry
