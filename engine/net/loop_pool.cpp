// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/net/loop_pool.h"

#include <pthread.h>

#include <algorithm>
#include <string>

#include "engine/base/check.h"

namespace quarry::net {

LoopPool::LoopPool(size_t loopCount, const std::string& name) {
  QUARRY_CHECK(loopCount > 0);
  for (size_t i = 0; i < loopCount; ++i) {
    Loop& loop = *m_loops.emplace_back(std::make_unique<Loop>());
    loop.thread = std::thread([&loop]() noexcept { loop.context.run(); });
    pthread_setname_np(loop.thread.native_handle(), (name + "-" + std::to_string(i)).c_str());
  }
}

LoopPool::~LoopPool() { stop(); }

void LoopPool::stop() {
  for (auto& loop : m_loops) loop->context.stop();
  for (auto& loop : m_loops)
    if (loop->thread.joinable()) loop->thread.join();
}

size_t LoopPool::loopCountDefault() { return std::max<size_t>(1, std::thread::hardware_concurrency()); }

}  // namespace quarry::net
