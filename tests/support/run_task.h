// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one coroutine to its end on an io_context of its own and returns what it returned.
#pragma once

#include <asio/io_context.hpp>
#include <optional>
#include <utility>

#include "engine/base/async.h"
#include "engine/base/check.h"
#include "engine/base/spawn.h"

namespace quarry::test {

template <class T>
Task<void> fetch(Task<T> task, std::optional<T>& into) {
  T value = co_await std::move(task);
  into.emplace(std::move(value));
}

template <class T>
T runTask(asio::io_context& context, Task<T> task) {
  std::optional<T> value;
  spawn(context, fetch(std::move(task), value));
  context.restart();
  context.run();
  QUARRY_CHECK(value.has_value());
  return std::move(*value);
}

template <class T>
T runTask(Task<T> task) {
  asio::io_context context;
  return runTask(context, std::move(task));
}

}  // namespace quarry::test
