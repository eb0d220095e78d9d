// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/write_cache.h"

#include <algorithm>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>

#include "engine/base/spawn.h"

namespace quarry::cache {

namespace {
constexpr std::chrono::microseconds delayMax{20'000};  // of a write that finds the cache almost full
constexpr std::chrono::milliseconds fullPoll{2};
constexpr std::chrono::seconds waitMax{1};
}  // namespace

std::shared_ptr<CacheAccount> WriteCache::account(uint32_t number) {
  const Lock lock(m_mutex);
  auto& account = m_accounts[number];
  if (!account) account = std::make_shared<CacheAccount>(m_clock);
  return account;
}

void WriteCache::attach(journal::Journal& journal) {
  m_needs.attach(journal);
  m_journal.store(&journal, std::memory_order_release);
}

void WriteCache::setOnPressure(std::function<void()> onPressure) {
  const Lock lock(m_mutex);
  m_onPressure = std::move(onPressure);
}

void WriteCache::tellPressure() {
  std::function<void()> tell;
  {
    const Lock lock(m_mutex);
    tell = m_onPressure;
  }
  if (tell) tell();
}

// The delay grows with the square of the way from delayFrom to the limit: writers find the speed of the disk without ever standing still.
Task<Result<void>> WriteCache::waitForRoom() {
  double now = fill();
  if (now < delayFrom) co_return Result<void>();
  tellPressure();
  asio::steady_timer timer(co_await asio::this_coro::executor);
  if (now < 1) {
    const double way = (now - delayFrom) / (1 - delayFrom);
    timer.expires_after(std::chrono::duration_cast<std::chrono::microseconds>(delayMax * way * way));
    co_await expiry(timer);
  }
  const auto until = m_clock.steady() + waitMax;
  for (now = fill(); now >= 1; now = fill()) {
    if (const auto problem = blocked()) co_return fail(*problem);
    if (m_clock.steady() >= until) co_return fail(ErrorCode::Busy, "the write cache is full");
    timer.expires_after(fullPoll);
    co_await expiry(timer);
  }
  co_return Result<void>();
}

void WriteCache::setBlocked(std::optional<Error> problem) {
  const Lock lock(m_mutex);
  m_blocked = std::move(problem);
}

std::optional<Error> WriteCache::blocked() const {
  const Lock lock(m_mutex);
  return m_blocked;
}

void WriteCache::noteDirty(DirtyFile& file, std::weak_ptr<DirtyFile> weak) {
  if (file.dirty().markListed()) return;
  const Lock lock(m_mutex);
  m_files.insert(std::move(weak));
}

// A writer puts first and looks at the mark then; here it is the other way round. So a file is in the list, or comes into it.
std::vector<std::shared_ptr<DirtyFile>> WriteCache::dirtyFiles() {
  std::vector<std::shared_ptr<DirtyFile>> files;
  const Lock lock(m_mutex);
  for (auto at = m_files.begin(); at != m_files.end();) {
    auto file = at->lock();
    if (file) file->dirty().unmarkListed();
    if (!file || file->dirty().isEmpty()) {
      at = m_files.erase(at);
      continue;
    }
    file->dirty().markListed();
    files.push_back(std::move(file));
    ++at;
  }
  return files;
}

WriteCache::Oldest WriteCache::oldest() {
  Oldest oldest;
  for (const auto& file : dirtyFiles()) {
    if (const auto since = file->dirty().oldest()) oldest.dirty = std::min(oldest.dirty.value_or(*since), *since);
    const auto since = file->dirty().oldestUnprotected();
    if (!since) continue;
    oldest.unprotected = std::min(oldest.unprotected.value_or(*since), *since);
    const auto [of, isNew] = oldest.unprotectedOf.try_emplace(file->dirty().account().get(), *since);
    of->second = std::min(of->second, *since);
  }
  return oldest;
}

}  // namespace quarry::cache
