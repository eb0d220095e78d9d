// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one coroutine to its end on an io_context of its own and returns what it returned.
#pragma once

#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "engine/base/async.h"

namespace quarry::test {

template <class T>
T runTask(asio::io_context& context, Task<T> task) {
  std::optional<T> value;
  std::exception_ptr thrown;
  asio::co_spawn(context, std::move(task), [&](std::exception_ptr exception, T result) {
    thrown = exception;
    value.emplace(std::move(result));
  });
  context.restart();
  context.run();
  if (thrown) std::rethrow_exception(thrown);
  return std::move(*value);
}

template <class T>
T runTask(Task<T> task) {
  asio::io_context context;
  return runTask(context, std::move(task));
}

}  // namespace quarry::test
