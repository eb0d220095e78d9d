// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/destager.h"

#include <algorithm>
#include <asio/post.hpp>
#include <asio/this_coro.hpp>
#include <future>
#include <utility>

#include "engine/base/log.h"
#include "engine/base/spawn.h"
#include "engine/blockstore/parallel.h"

namespace quarry::cache {

namespace {
constexpr std::chrono::milliseconds period{200}, calmPeriod{1000};  // looking takes a moment for every dirty block
constexpr std::chrono::seconds retryPause{1}, checkpointPause{1};
constexpr double pressureFrom = 0.25;      // of the write cache, or of the journal: from there on quiet regions are destaged at once...
constexpr double highPressureFrom = 0.5;   // ...and from here on all
constexpr std::chrono::seconds quietUnderPressure{1}, quiet{5};
constexpr size_t filesAtOnce = 4, runsAtOnce = 16;

using Files = std::vector<std::shared_ptr<DirtyFile>>;

// Files or runs that several coroutines take one after another.
template <class T>
struct Turns {
  std::vector<T> items;
  std::atomic<size_t> next = 0;
  T* take() {
    const size_t index = next.fetch_add(1);
    return index < items.size() ? &items[index] : nullptr;
  }
};
}  // namespace

struct Destager::Running {
  std::promise<void> ended;
};

Destager::Destager(WriteCache& cache, const Clock& clock, asio::any_io_executor executor, Options options)
    : m_cache(cache), m_clock(clock), m_executor(std::move(executor)), m_options(std::move(options)) {}

void Destager::start() {
  m_running = std::make_shared<Running>();
  m_cache.setOnPressure([this] { kick(); });
  static constexpr auto run = [](Destager* self, std::shared_ptr<Running> running) -> Task<void> {
    co_await self->loop();
    running->ended.set_value();
  };
  spawn(m_executor, run(this, m_running));
}

void Destager::stop() {
  if (!m_running) return;
  m_cache.setOnPressure({});
  m_stopping = true;
  kick();
  m_running->ended.get_future().wait();
  m_running.reset();
}

void Destager::kick() {
  if (m_kicked.exchange(true)) return;
  asio::post(m_executor, [this] {
    if (m_timer) m_timer->cancel();
  });
}

Task<void> Destager::pause() {
  const bool isCalm = m_cache.fill() < pressureFrom;
  m_timer->expires_after(m_hasProblem ? std::chrono::milliseconds(retryPause) : isCalm ? calmPeriod : period);
  if (!m_kicked || m_hasProblem) co_await expiry(*m_timer);
  m_kicked = false;
}

Task<bool> Destager::loop() {
  m_timer.emplace(m_executor);
  while (!m_stopping) {
    const auto chosen = selection();
    if (chosen) {
      const auto destaged = co_await destageAll(m_cache.dirtyFiles(), *chosen);
      tell(destaged);
    }
    co_await keepReplayShort();
    co_await pause();
  }
  m_timer.reset();
  co_return true;
}

std::optional<DirtyBlocks::Selection> Destager::selection() {
  if (m_cache.dirtyBytes() == 0) return std::nullopt;
  const auto now = m_clock.steady();
  double pressure = m_cache.fill();
  if (const journal::Journal* journal = m_cache.journal()) {
    const auto figures = journal->figures();
    pressure = std::max(pressure, static_cast<double>(figures.usedBytes) / static_cast<double>(std::max<uint64_t>(1, figures.areaBytes)));
  }
  DirtyBlocks::Selection selection;
  if (pressure >= highPressureFrom) return selection;
  selection.touchedBefore = now - (pressure >= pressureFrom ? quietUnderPressure : quiet);
  const bool hasUnprotected = m_cache.engineAccount().unprotectedBlocks.load(std::memory_order_relaxed) > 0;
  selection.sinceBefore = now - (hasUnprotected ? m_options.unprotectedAgeMax / 4 : m_options.ageMax);
  return selection;
}

void Destager::tell(const Result<uint64_t>& destaged) {
  m_cache.setBlocked(destaged ? std::nullopt : std::optional(destaged.error()));
  if (destaged) {
    m_hasProblem = false;
    return;
  }
  if (std::exchange(m_hasProblem, true)) return;
  log("cache").error("destaging: {}", destaged.error().message);
  if (m_options.onProblem) m_options.onProblem(destaged.error());
}

// A start replays from the last checkpoint on, whatever was destaged since.
Task<void> Destager::keepReplayShort() {
  journal::Journal* const journal = m_cache.journal();
  if (!journal || journal->firstReplayed() == journal->firstNeeded() || m_clock.steady() - m_lastCheckpoint < checkpointPause) co_return;
  m_lastCheckpoint = m_clock.steady();
  const auto written = co_await journal->checkpoint();
  if (written || std::exchange(m_hasCheckpointProblem, true)) co_return;
  log("cache").warn("the journal keeps what it needs no more: {}", written.error().message);
}

Task<Result<uint64_t>> Destager::flush(Choice choice) {
  Files files = m_cache.dirtyFiles();
  std::erase_if(files, [&choice](const auto& file) { return !choice(*file); });
  co_return co_await destageAll(std::move(files), {});
}

Task<Result<uint64_t>> Destager::destageAll(Files files, DirtyBlocks::Selection selection) {
  const auto turns = std::make_shared<Turns<std::shared_ptr<DirtyFile>>>();
  turns->items = std::move(files);
  static constexpr auto work = [](Destager* self, std::shared_ptr<Turns<std::shared_ptr<DirtyFile>>> shared,
                                  DirtyBlocks::Selection chosen) -> Task<Result<uint64_t>> {
    uint64_t bytes = 0;
    Result<uint64_t> failure = 0;
    while (const auto* file = shared->take()) {
      const auto destaged = co_await self->destage(*file, chosen);
      if (destaged) bytes += *destaged;
      else failure = destaged;
    }
    if (!failure) co_return failure;
    co_return bytes;
  };
  const auto executor = co_await asio::this_coro::executor;
  std::vector<blockstore::Spawned<Result<uint64_t>>> workers;
  for (size_t i = 0; i < std::min(filesAtOnce, turns->items.size()); ++i) workers.emplace_back(executor, work(this, turns, selection));
  Result<uint64_t> total = 0;
  for (auto& worker : workers) {
    const auto bytes = co_await worker.get();
    if (!bytes) total = bytes;
    else if (total) *total += *bytes;
  }
  co_return total;
}

Task<Result<uint64_t>> Destager::destage(std::shared_ptr<DirtyFile> file, DirtyBlocks::Selection selection) {
  uint64_t bytes = 0, from = 0;
  for (;;) {
    DirtyBlocks::Runs found = file->dirty().runs(from, selection);
    const auto destaged = co_await destageRuns(file, std::move(found.runs));
    if (!destaged) co_return destaged;
    bytes += *destaged;
    if (found.isLast) co_return bytes;
    from = found.next;
  }
}

Task<Result<uint64_t>> Destager::destageRuns(std::shared_ptr<DirtyFile> file, std::vector<BlockRange> runs) {
  if (runs.empty()) co_return 0;
  const auto turns = std::make_shared<Turns<BlockRange>>();
  turns->items = std::move(runs);
  using LandedRuns = Result<std::vector<DirtyBlocks::Run>>;
  static constexpr auto work = [](std::shared_ptr<DirtyFile> target, std::shared_ptr<Turns<BlockRange>> shared) -> Task<LandedRuns> {
    std::vector<DirtyBlocks::Run> landed;
    while (const BlockRange* run = shared->take()) {
      auto done = co_await target->land(*run);
      if (!done) co_return fail(done.error());
      landed.push_back(std::move(*done));
    }
    co_return landed;
  };
  const auto executor = co_await asio::this_coro::executor;
  std::vector<blockstore::Spawned<LandedRuns>> workers;
  for (size_t i = 0; i < std::min(runsAtOnce, turns->items.size()); ++i) workers.emplace_back(executor, work(file, turns));
  std::vector<DirtyBlocks::Run> landed;
  std::optional<Error> failure;
  for (auto& worker : workers) {
    auto done = co_await worker.get();
    if (!done) failure = done.error();
    else std::move(done->begin(), done->end(), std::back_inserter(landed));
  }
  if (failure) co_return fail(*failure);
  uint64_t bytes = 0;
  for (const auto& run : landed) bytes += run.blocks.size() * blockBytes;
  const auto settled = co_await file->settle(std::move(landed));
  if (!settled) co_return fail(settled.error());
  co_return bytes;
}

}  // namespace quarry::cache
