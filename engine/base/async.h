// SPDX-License-Identifier: GPL-3.0-or-later
// Bridges from callbacks and thread pools to Asio coroutines. Nothing here blocks a loop thread.
#pragma once

#include <asio/async_result.hpp>
#include <asio/awaitable.hpp>
#include <asio/bind_executor.hpp>
#include <asio/post.hpp>
#include <asio/thread_pool.hpp>
#include <asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace quarry {

template <class T>
using Task = asio::awaitable<T>;

// GCC 12 destroys a temporary twice that is made inside a co_await expression and owns something (GCC bug 99576). So a lambda handed to
// the functions below must be named first; what owns nothing may be a temporary.
template <class Callable>
concept SafeInCoAwait = std::is_lvalue_reference_v<Callable> || std::is_trivially_destructible_v<Callable>;

namespace detail {

template <class T, class Start>
Task<T> initiate(Start start) {
  co_return co_await asio::async_initiate<const asio::use_awaitable_t<>, void(T)>(
      [](auto handler, Start begin) {
        auto executor = asio::get_associated_executor(handler);
        auto shared = std::make_shared<decltype(handler)>(std::move(handler));
        begin(std::function<void(T)>([shared, executor](T value) {
          asio::post(executor, [shared, moved = std::make_shared<T>(std::move(value))] { std::move (*shared)(std::move(*moved)); });
        }));
      },
      asio::use_awaitable, std::move(start));
}

}  // namespace detail

// Calls start(done) at once; the coroutine resumes on its own executor after done(value) was called, exactly once, from any thread.
template <class T, SafeInCoAwait Start>
Task<T> awaitCallback(Start&& start) {
  return detail::initiate<T>(std::remove_cvref_t<Start>(start));
}

// Runs work() on the pool and resumes the coroutine on its own executor with what it returned.
template <SafeInCoAwait Work>
auto onPool(asio::thread_pool& pool, Work&& work) -> Task<decltype(work())> {
  using T = decltype(work());
  auto start = [&pool, own = std::remove_cvref_t<Work>(work)](std::function<void(T)> done) mutable {
    asio::post(pool, [own = std::move(own), done = std::move(done)]() mutable { done(own()); });
  };
  return detail::initiate<T>(std::move(start));
}

}  // namespace quarry
