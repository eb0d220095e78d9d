// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rpc/reply_cache.h"

#include <QtTest/QtTest>
#include <string>

#include "engine/base/spawn.h"
#include "tests/support/run_task.h"

using namespace quarry;
using rpc::CachedReply;
using rpc::CallKey;
using rpc::ReplyCache;

namespace {
CachedReply bytes(size_t size) { return std::make_shared<const std::vector<std::byte>>(size); }

Task<void> beginInto(ReplyCache& cache, CallKey key, CachedReply& into, bool& done) {
  into = co_await cache.begin(key);
  done = true;
}
}  // namespace

class ReplyCacheTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void finishedReplyComesBack() {
    ReplyCache cache;
    const CallKey key{"192.0.2.1", 7, 99};
    QVERIFY(!test::runTask(cache.begin(key)));
    const CachedReply reply = bytes(10);
    cache.finish(key, reply);
    QCOMPARE(test::runTask(cache.begin(key)), reply);
    QVERIFY(!test::runTask(cache.begin({"192.0.2.2", 7, 99})));
    QVERIFY(!test::runTask(cache.begin({"192.0.2.1", 8, 99})));
    QVERIFY(!test::runTask(cache.begin({"192.0.2.1", 7, 98})));
  }

  void retransmissionOfARunningCallWaits() {
    ReplyCache cache;
    asio::io_context context;
    const CallKey key{"192.0.2.1", 7, 99};
    CachedReply first, second, third;
    bool firstDone = false, secondDone = false, thirdDone = false;
    spawn(context, beginInto(cache, key, first, firstDone));
    spawn(context, beginInto(cache, key, second, secondDone));
    spawn(context, beginInto(cache, key, third, thirdDone));
    context.poll();
    QVERIFY(firstDone && !secondDone && !thirdDone);
    QVERIFY(!first);
    const CachedReply reply = bytes(3);
    cache.finish(key, reply);
    context.restart();
    context.run();
    QVERIFY(secondDone && thirdDone);
    QCOMPARE(second, reply);
    QCOMPARE(third, reply);
  }

  void countIsBounded() {
    ReplyCache cache;
    for (uint32_t xid = 0; xid < 3000; ++xid) {
      QVERIFY(!test::runTask(cache.begin({"c", xid, 0})));
      cache.finish({"c", xid, 0}, bytes(1));
    }
    QCOMPARE(cache.entryCount(), rpc::replyCacheEntriesMax);
    QVERIFY(test::runTask(cache.begin({"c", 2999, 0})));
    QVERIFY(!test::runTask(cache.begin({"c", 0, 0})));
  }

  void bytesAreBounded() {
    ReplyCache cache;
    for (uint32_t xid = 0; xid < 10; ++xid) {
      QVERIFY(!test::runTask(cache.begin({"c", xid, 0})));
      cache.finish({"c", xid, 0}, bytes(1024 * 1024));
    }
    QCOMPARE(cache.entryCount(), size_t{4});
  }

  void oldRepliesAreForgotten() {
    ReplyCache cache;
    const CallKey key{"rebooted", 7, 99}, later{"rebooted", 8, 99};
    const auto start = std::chrono::steady_clock::now();
    QVERIFY(!test::runTask(cache.begin(key, start)));
    cache.finish(key, bytes(1), start);
    QVERIFY(test::runTask(cache.begin(key, start + rpc::replyAgeMax)));
    QVERIFY(!test::runTask(cache.begin(later, start + rpc::replyAgeMax)));
    cache.finish(later, bytes(2), start + rpc::replyAgeMax);
    const auto tooLate = start + rpc::replyAgeMax + std::chrono::seconds(1);
    QVERIFY(!test::runTask(cache.begin(key, tooLate)));
    QVERIFY(test::runTask(cache.begin(later, tooLate)));
    cache.finish(key, bytes(3), tooLate);
    QCOMPARE(test::runTask(cache.begin(key, tooLate))->size(), size_t{3});
  }

  void runningCallsAreNotEvicted() {
    ReplyCache cache;
    QVERIFY(!test::runTask(cache.begin({"running", 1, 0})));
    for (uint32_t xid = 0; xid < 2000; ++xid) {
      test::runTask(cache.begin({"c", xid, 0}));
      cache.finish({"c", xid, 0}, bytes(1));
    }
    QCOMPARE(cache.entryCount(), rpc::replyCacheEntriesMax + 1);
    cache.finish({"running", 1, 0}, bytes(2));
    QCOMPARE(test::runTask(cache.begin({"running", 1, 0}))->size(), size_t{2});
  }
};

QTEST_GUILESS_MAIN(ReplyCacheTest)
#include "reply_cache_test.moc"
