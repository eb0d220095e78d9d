// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/spawn.h"

#include <asio/co_spawn.hpp>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>
#include <cstdlib>
#include <exception>

#include "engine/base/log.h"

namespace quarry {

namespace {
void abortOn(const std::exception_ptr& exception) {
  if (!exception) return;
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& thrown) {
    log("engine").critical("a task ended by an exception: {}", thrown.what());
  } catch (...) {
    log("engine").critical("a task ended by an unknown exception");
  }
  std::abort();
}
}  // namespace

void spawn(const asio::any_io_executor& executor, Task<void> task) {
  asio::co_spawn(executor, std::move(task), [](std::exception_ptr exception) { abortOn(exception); });
}

void spawn(asio::io_context& context, Task<void> task) { spawn(asio::any_io_executor(context.get_executor()), std::move(task)); }

Task<bool> expiry(asio::steady_timer& timer) {
  asio::error_code error;
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, error));
  co_return !error;
}

}  // namespace quarry
