// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/os/range_lock.h"

#include <QTest>
#include <array>
#include <asio/io_context.hpp>
#include <atomic>
#include <optional>
#include <random>
#include <thread>

#include "engine/base/spawn.h"

using namespace quarry;
using quarry::os::RangeLock;

namespace {

struct Range {
  uint64_t from, to;
};

Task<void> holdAndLog(RangeLock& lock, Range range, std::vector<int>& order, int number) {
  const auto guard = co_await lock.lock(range.from, range.to);
  order.push_back(number);
}

Task<void> lockInto(RangeLock& lock, Range range, std::optional<RangeLock::Guard>& into) { into = co_await lock.lock(range.from, range.to); }

constexpr uint64_t cellCount = 32;
struct Shared {
  RangeLock lock;
  std::array<std::atomic<int>, cellCount> users{};
  std::atomic<int> violations = 0;
  std::atomic<int> done = 0;
};

Task<void> useRandomRanges(Shared& shared, unsigned seed) {
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    const uint64_t from = random() % cellCount;
    const uint64_t to = random() % 10 == 0 ? RangeLock::toEnd : from + 1 + random() % 4;
    const auto guard = co_await shared.lock.lock(from, to);
    const uint64_t last = std::min(to, cellCount);
    for (uint64_t cell = from; cell < last; ++cell) shared.violations += shared.users[cell]++;
    if (random() % 2 == 0) co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
    for (uint64_t cell = from; cell < last; ++cell) --shared.users[cell];
  }
  ++shared.done;
}

}  // namespace

class RangeLockTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void overlappingRangesTakeTurnsInOrder() {
    RangeLock lock;
    asio::io_context context;
    std::vector<int> order;
    std::optional<RangeLock::Guard> first;
    spawn(context, lockInto(lock, {0, 100}, first));
    context.poll();
    QVERIFY(first);
    spawn(context, holdAndLog(lock, {50, 60}, order, 1));
    spawn(context, holdAndLog(lock, {0, RangeLock::toEnd}, order, 2));
    spawn(context, holdAndLog(lock, {200, 300}, order, 3));  // free, but 2 asked for it before
    spawn(context, holdAndLog(lock, {90, 110}, order, 4));
    context.restart();
    context.poll();
    QVERIFY(order.empty());
    first.reset();
    context.restart();
    context.run();
    QCOMPARE(order.size(), 4u);
    QCOMPARE(order[0], 1);
    QCOMPARE(order[1], 2);
  }

  void disjointRangesDoNotWait() {
    RangeLock lock;
    asio::io_context context;
    std::optional<RangeLock::Guard> first, second;
    spawn(context, lockInto(lock, {0, 4096}, first));
    spawn(context, lockInto(lock, {4096, 8192}, second));
    context.poll();
    QVERIFY(first && second);
  }

  void neverTwoHoldersOnTwoThreads() {
    Shared shared;
    asio::io_context first, second;
    for (unsigned i = 0; i < 20; ++i) spawn(i % 2 ? first : second, useRandomRanges(shared, i));
    std::thread thread([&second] { second.run(); });
    first.run();
    thread.join();
    QCOMPARE(shared.violations.load(), 0);
    QCOMPARE(shared.done.load(), 20);
  }
};

QTEST_GUILESS_MAIN(RangeLockTest)
#include "range_lock_test.moc"
