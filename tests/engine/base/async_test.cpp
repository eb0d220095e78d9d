// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/async.h"

#include <QTest>
#include <asio/io_context.hpp>
#include <string>
#include <thread>

#include "engine/base/spawn.h"

using namespace quarry;

namespace {

Task<void> workOnPool(asio::thread_pool& pool, std::thread::id& worker, std::thread::id& resumed, std::string& got) {
  got = co_await onPool(pool, [&worker] {
    worker = std::this_thread::get_id();
    return std::string("done");
  });
  resumed = std::this_thread::get_id();
}

Task<void> waitForCallback(std::thread& other, int& got) {
  got = co_await awaitCallback<int>([&other](std::function<void(int)> done) { other = std::thread([done] { done(7); }); });
}

}  // namespace

class AsyncTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void poolWorkRunsElsewhereAndResumesHere() {
    asio::io_context context;
    asio::thread_pool pool(1);
    std::thread::id worker, resumed;
    std::string got;
    spawn(context, workOnPool(pool, worker, resumed, got));
    context.run();
    QCOMPARE(got, std::string("done"));
    QVERIFY(worker != resumed);
    QCOMPARE(resumed, std::this_thread::get_id());
  }

  void callbackFromAnotherThreadResumes() {
    asio::io_context context;
    std::thread other;
    int got = 0;
    spawn(context, waitForCallback(other, got));
    context.run();
    other.join();
    QCOMPARE(got, 7);
  }
};

QTEST_GUILESS_MAIN(AsyncTest)
#include "async_test.moc"
