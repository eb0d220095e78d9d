// SPDX-License-Identifier: GPL-3.0-or-later
// Starts coroutines that nobody waits for, and pauses inside one. Compiled once: Asio's templates behind these cost each source seconds.
// Threads: any; the coroutine runs on the executor, and begins inside the call if that is where the caller runs. A task owns
// or outlives what it refers to. An exception that leaves a task is a bug: it is logged and the process aborts, for nothing could answer
// what the task left undone.
#pragma once

#include <asio/any_io_executor.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>

#include "engine/base/async.h"

namespace quarry {

void spawn(const asio::any_io_executor& executor, Task<void> task);
void spawn(asio::io_context& context, Task<void> task);

// Until the timer expires (true) or is cancelled (false).
Task<bool> expiry(asio::steady_timer& timer);

}  // namespace quarry
