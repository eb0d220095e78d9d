// SPDX-License-Identifier: GPL-3.0-or-later
// Work side by side, for coroutines that would otherwise do one thing after another: a loop spread over the worker pool, and a coroutine
// started now whose result is fetched later.
//
// Threads: both resume the caller on its own executor. Ownership: a Spawned coroutine runs to its end even when nobody waits for it, so
// whoever starts one waits for it before what it refers to goes away.
#pragma once

#include <asio/any_io_executor.hpp>
#include <atomic>
#include <exception>
#include <optional>

#include "engine/base/async.h"
#include "engine/base/mutex.h"
#include "engine/base/spawn.h"

namespace quarry::blockstore {

// work(0) … work(count - 1) on the pool, in any order and at once; returns when all have ended. `work` may be called from several threads.
template <class Work>
Task<void> forEachOnPool(asio::thread_pool& pool, size_t count, Work work) {
  if (count == 0) co_return;
  auto left = std::make_shared<std::atomic<size_t>>(count);
  auto start = [&pool, &work, left, count](std::function<void(bool)> done) {
    for (size_t i = 0; i < count; ++i)
      asio::post(pool, [&work, left, done, i] {
        work(i);
        if (left->fetch_sub(1) == 1) done(true);
      });
  };
  co_await awaitCallback<bool>(start);
}

template <class T>
class Spawned {
 public:
  // Runs `task` on `executor`, beginning now.
  Spawned(const asio::any_io_executor& executor, Task<T> task) : m_state(std::make_shared<State>()) {
    spawn(executor, finishWith(std::move(task), m_state));
  }

  bool isReady() const {
    Lock lock(m_state->mutex);
    return m_state->value.has_value();
  }

  // REQUIRES: called once.
  Task<T> get() {
    std::shared_ptr<State> state = m_state;
    auto start = [state](std::function<void(bool)> wake) { state->whenDone(std::move(wake)); };
    co_await awaitCallback<bool>(start);
    co_return state->take();
  }

 private:
  struct State {
    mutable Mutex mutex;
    std::optional<T> value GUARDED_BY(mutex);
    std::function<void(bool)> wake GUARDED_BY(mutex);

    void finish(T result) {
      std::function<void(bool)> waiting;
      {
        Lock lock(mutex);
        value.emplace(std::move(result));
        waiting = std::move(wake);
      }
      if (waiting) waiting(true);
    }
    void whenDone(std::function<void(bool)> waiting) {
      {
        Lock lock(mutex);
        if (!value) {
          wake = std::move(waiting);
          return;
        }
      }
      waiting(true);
    }
    T take() {
      Lock lock(mutex);
      return std::move(*value);
    }
  };
  static Task<void> finishWith(Task<T> task, std::shared_ptr<State> state) {
    T value = co_await std::move(task);
    state->finish(std::move(value));
  }

  std::shared_ptr<State> m_state;
};

}  // namespace quarry::blockstore
