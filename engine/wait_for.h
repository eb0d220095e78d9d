// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a coroutine on an executor that other threads run, and blocks the calling thread until it is done: for start, stop and threads
// that may block. REQUIRES: the caller is no thread of that executor.
#pragma once

#include <asio/any_io_executor.hpp>
#include <future>
#include <memory>
#include <type_traits>

#include "engine/base/async.h"
#include "engine/base/spawn.h"

namespace quarry {

namespace detail {
template <class T>
Task<void> fulfil(Task<T> task, std::shared_ptr<std::promise<T>> promise) {
  if constexpr (std::is_void_v<T>) {
    co_await std::move(task);
    promise->set_value();
  } else {
    T value = co_await std::move(task);
    promise->set_value(std::move(value));
  }
}
}  // namespace detail

template <class T>
T waitFor(const asio::any_io_executor& executor, Task<T> task) {
  const auto promise = std::make_shared<std::promise<T>>();
  auto value = promise->get_future();
  spawn(executor, detail::fulfil(std::move(task), promise));
  return value.get();
}

}  // namespace quarry
