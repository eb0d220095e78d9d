// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/os/uring.h"

#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <cstring>
#include <thread>

#include "engine/base/spawn.h"
#include "engine/os/file.h"
#include "tests/support/run_task.h"

using namespace quarry;
using namespace quarry::os;

namespace {

constexpr uint64_t blocksPerTask = 8;

// Each coroutine owns blocks of its own: writes its number into them, reads it back.
Task<void> writeAndReadBack(File& file, uint64_t number, std::atomic<int>& good) {
  AlignedBuffer buffer(blockBytes);
  for (uint64_t i = 0; i < blocksPerTask; ++i) {
    const uint64_t offset = (number * blocksPerTask + i) * blockBytes;
    std::memset(buffer.data(), static_cast<int>(number % 251 + 1), buffer.size());
    auto written = co_await file.writeAt(offset, buffer.bytes(), Durability::None);
    buffer.clear();
    auto read = co_await file.readAt(offset, buffer.bytes());
    const bool same = written && read && *read == blockBytes && buffer.data()[100] == static_cast<std::byte>(number % 251 + 1);
    if (same) ++good;
  }
}

// Tells when its frame is gone.
struct FrameGuard {
  std::atomic<int>& alive;
  explicit FrameGuard(std::atomic<int>& counter) : alive(counter) { ++alive; }
  ~FrameGuard() { --alive; }
};

Task<void> readForEver(File& file, std::atomic<int>& alive) {
  const FrameGuard guard(alive);
  AlignedBuffer buffer(1024 * 1024);
  while (true) {
    auto read = co_await file.readAt(0, buffer.bytes());
    if (!read) co_return;
  }
}

}  // namespace

class UringTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void isAvailableHere() {
    auto available = Uring::checkAvailable();
    QVERIFY2(available, available ? "" : available.error().message.c_str());
  }

  // Far more requests at once than the submission queue has places for.
  void manyCoroutinesOnTwoContexts() {
    auto file = m_files->open(path("shared"), OpenMode::Create, CacheMode::Direct);
    QVERIFY(file);
    std::atomic<int> good = 0;
    asio::io_context first, second;
    constexpr uint64_t tasksPerContext = 700;
    for (uint64_t number = 0; number < tasksPerContext; ++number) {
      spawn(first, writeAndReadBack(**file, number, good));
      spawn(second, writeAndReadBack(**file, number + tasksPerContext, good));
    }
    std::thread thread([&second] { second.run(); });
    first.run();
    thread.join();
    QCOMPARE(good.load(), static_cast<int>(2 * tasksPerContext * blocksPerTask));
  }

  void contextMayGoWhileRequestsAreInFlight() {
    auto file = m_files->open(path("busy"), OpenMode::Create, CacheMode::Direct);
    AlignedBuffer buffer(1024 * 1024);
    buffer.clear();
    QVERIFY(test::runTask((*file)->writeAt(0, buffer.bytes(), Durability::None)));
    std::atomic<int> alive = 0;
    for (int round = 0; round < 20; ++round) {
      asio::io_context context;
      for (int i = 0; i < 30; ++i) spawn(context, readForEver(**file, alive));
      for (int turn = 0; turn < 50 + round * 7; ++turn) context.poll_one();
      QVERIFY(alive > 0);
    }
    QCOMPARE(alive.load(), 0);
  }

  void answersOfTheKernelArriveAsTheyAre() {
    AlignedBuffer buffer(blockBytes);
    const UringRequest request{.kind = UringRequest::Kind::Read, .descriptor = -1, .data = buffer.data(), .length = blockBytes};
    QCOMPARE(test::runTask(Uring::run(request)), -EBADF);
  }

 private:
  std::string path(const char* name) const { return m_folder.path().toStdString() + "/" + name; }

  QTemporaryDir m_folder;
  std::unique_ptr<FileSystem> m_files = makePosixFileSystem();
};

QTEST_GUILESS_MAIN(UringTest)
#include "uring_test.moc"
