// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a coroutine on an executor that other threads run, and blocks the calling thread until it is done: for start, stop and threads
// that may block. REQUIRES: the caller is no thread of that executor.
#pragma once

#include <asio/any_io_executor.hpp>
#include <asio/co_spawn.hpp>
#include <asio/use_future.hpp>

#include "engine/base/async.h"

namespace quarry {

template <class T>
T waitFor(const asio::any_io_executor& executor, Task<T> task) {
  return asio::co_spawn(executor, std::move(task), asio::use_future).get();
}

}  // namespace quarry
