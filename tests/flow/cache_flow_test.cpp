// SPDX-License-Identifier: GPL-3.0-or-later
// The RAM cache from outside: an NFS client writes and reads in each write mode, the administrator sizes, flushes and switches, and every byte
// reads back, also after a restart.
#include <QTest>
#include <QtTest/QtTest>
#include <atomic>
#include <filesystem>
#include <thread>

#include "tests/support/engine_site.h"

using namespace quarry;
using namespace quarry::test;

class CacheFlowTest : public QObject {
  Q_OBJECT

  EngineSite m_site;

  protocol::CacheInfo cache() { return m_site.ask<protocol::CacheInfo>("cache.show").value_or(protocol::CacheInfo{}); }
  uint64_t dirtyBytes(const std::string& vstorage) {
    for (const auto& row : cache().vstorages)
      if (row.name == vstorage) return row.dirtyBytes;
    return ~uint64_t{0};
  }
  Result<std::string> setMode(const std::string& name, const char* mode) {
    return m_site.request("vstorage.set", R"({"name":")" + name + R"(","writeMode":")" + mode + R"("})");
  }
  static std::string readBack(NfsClient& client, const std::string& file, uint64_t offset, uint32_t count) {
    NfsReply reply = client.read(file, offset, count);
    if (!reply.is(nfs::Nfsstat3::Ok)) return "status " + std::to_string(reply.status);
    readPostOp(reply.in);
    reply.in.u32();
    reply.in.boolean();
    return std::string(reply.in.string(count));
  }
  // Blocks of 4 KiB, each written alone.
  static void writeBlocks(NfsClient& client, const std::string& file, const std::string& data, uint32_t stable) {
    for (size_t at = 0; at < data.size(); at += 4096) QVERIFY(client.write(file, at, data.substr(at, 4096), stable).is(nfs::Nfsstat3::Ok));
  }

 private Q_SLOTS:
  void initTestCase() {
    QCOMPARE(m_site.error, std::string());
    QVERIFY(m_site.request("vstorage.create", R"({"name":"safe","writeMode":"safe"})"));
    QVERIFY(m_site.request("vstorage.create", R"({"name":"ram","writeMode":"ram"})"));
  }

  void safeWritesAreInRamAndTheJournal() {
    NfsClient client(m_site.nfsPort());
    const std::string file = client.makeFile(client.mountRoot("/safe"), "disk.img"), data = guestData(64 * 4096, 1);
    writeBlocks(client, file, data, 2);
    const protocol::CacheInfo written = cache();
    QCOMPARE(written.dirtyBytes, uint64_t{64 * 4096});
    QCOMPARE(written.unprotectedBytes, uint64_t{0});
    QVERIFY(written.journalUsedBytes >= written.dirtyBytes);
    QVERIFY(readBack(client, file, 0, 64 * 4096) == data);
    QVERIFY(readBack(client, file, 1000, 5000) == data.substr(1000, 5000));

    const auto flushed = m_site.ask<protocol::CacheFlushed>("cache.flush", R"({"vstorage":"safe"})");
    QVERIFY(flushed);
    QCOMPARE(flushed->bytes, uint64_t{64 * 4096});
    QCOMPARE(cache().dirtyBytes, uint64_t{0});
    QCOMPARE(cache().journalUsedBytes, uint64_t{0});
    QVERIFY(readBack(client, file, 0, 64 * 4096) == data);
  }

  void partsOfBlocksAreMergedWithWhatIsNewest() {
    NfsClient client(m_site.nfsPort());
    const std::string file = client.makeFile(client.mountRoot("/safe"), "odd.img");
    std::string data = guestData(20'000, 2);
    QVERIFY(client.write(file, 0, data, 2).is(nfs::Nfsstat3::Ok));
    for (const auto& [offset, size] : {std::pair{100, 50}, {4090, 20}, {8191, 4097}, {19'990, 500}}) {
      const std::string part = guestData(static_cast<size_t>(size), static_cast<unsigned>(offset));
      data.resize(std::max(data.size(), static_cast<size_t>(offset + size)));
      data.replace(static_cast<size_t>(offset), static_cast<size_t>(size), part);
      QVERIFY(client.write(file, static_cast<uint64_t>(offset), part, static_cast<uint32_t>(offset % 3)).is(nfs::Nfsstat3::Ok));
      QVERIFY(readBack(client, file, 0, 30'000) == data);
    }
  }

  void unprotectedBytesAreShownAndGoneAfterSwitching() {
    NfsClient client(m_site.nfsPort());
    const std::string file = client.makeFile(client.mountRoot("/ram"), "disk.img"), data = guestData(32 * 4096, 3);
    writeBlocks(client, file, data, 2);
    QCOMPARE(cache().unprotectedBytes, uint64_t{32 * 4096});
    QVERIFY(setMode("ram", "safe"));
    QCOMPARE(cache().unprotectedBytes, uint64_t{0});
    writeBlocks(client, file, data, 2);
    QVERIFY(setMode("ram", "through"));
    QCOMPARE(dirtyBytes("ram"), uint64_t{0});
    writeBlocks(client, file, data, 2);
    QCOMPARE(dirtyBytes("ram"), uint64_t{0});
    QVERIFY(readBack(client, file, 0, 32 * 4096) == data);
    QVERIFY(setMode("ram", "ram"));
  }

  void sizesAreCheckedAndKept() {
    const auto tooLarge = m_site.request("cache.size", R"({"bytes":1125899906842624})");
    QVERIFY(!tooLarge && tooLarge.error().code == ErrorCode::InvalidArgument);
    QVERIFY(tooLarge.error().message.find("the machine has") != std::string::npos);
    QVERIFY(!m_site.request("cache.size", R"({"bytes":4096})"));
    const auto sized = m_site.ask<protocol::CacheInfo>("cache.size", R"({"bytes":33554432})");
    QVERIFY(sized);
    QCOMPARE(sized->budgetBytes, uint64_t{32 << 20});
    // Two administrators at once: one after the other.
    std::vector<std::jthread> administrators;
    std::atomic<int> refused = 0;
    for (const char* bytes : {"33554432", "50331648", "67108864"})
      administrators.emplace_back([this, bytes, &refused] {
        for (int i = 0; i < 10; ++i) refused += !m_site.request("cache.size", std::string(R"({"bytes":)") + bytes + "}");
      });
    administrators.clear();
    QCOMPARE(refused.load(), 0);
    QVERIFY(!m_site.request("cache.flush", R"({"vstorage":"none"})"));
  }

  void adviceHasACurveForTheEngineAndEachVstorage() {
    const auto advice = m_site.ask<protocol::CacheAdvice>("cache.advice");
    QVERIFY(advice);
    QCOMPARE(advice->curves.size(), size_t{3});
    QCOMPARE(advice->curves[0].vstorage, std::string());
    QVERIFY(advice->curves[0].accessCount > 0 && !advice->curves[0].points.empty());
  }

  void everythingReadsBackAfterARestart() {
    std::string file, data = guestData(100 * 4096, 4);
    {
      NfsClient client(m_site.nfsPort());
      file = client.makeFile(client.mountRoot("/ram"), "later.img");
      writeBlocks(client, file, data, 2);
    }
    m_site.restart();
    QCOMPARE(m_site.error, std::string());
    NfsClient client(m_site.nfsPort());
    QVERIFY(readBack(client, file, 0, 100 * 4096) == data);
    QCOMPARE(cache().dirtyBytes, uint64_t{0});
  }

  void aJournalThatIsGoneIsNotForgotten() {
    m_site.stop();
    const std::filesystem::path ring = m_site.storePath() + "/journal/ring", aside = m_site.storePath() + "/ring.aside";
    std::filesystem::rename(ring, aside);
    m_site.start();
    QVERIFY(m_site.error.find("--new-journal") != std::string::npos);
    std::filesystem::rename(aside, ring);
    m_site.start();
    QCOMPARE(m_site.error, std::string());
  }
};

QTEST_GUILESS_MAIN(CacheFlowTest)
#include "cache_flow_test.moc"
