// SPDX-License-Identifier: GPL-3.0-or-later
// "Follow a WRITE", second half: landing data becomes runs, frames and recipes, its landing space is freed, and every byte reads back,
// also after overwrites, after a second run and after a restart.
#include <QTest>
#include <QtTest/QtTest>
#include <algorithm>

#include "engine/protocol/job_state.h"
#include "tests/support/engine_site.h"

using namespace quarry;
using namespace quarry::test;

class OptimizeFlowTest : public QObject {
  Q_OBJECT

  static constexpr size_t partBytes = 1 << 20;
  static constexpr size_t partCount = 6;  // more than one segment

  EngineSite m_site;
  std::string m_data = guestData(partBytes * partCount, 3);

  void writeAll(NfsClient& client, const std::string& file) {
    for (size_t part = 0; part < partCount; ++part)
      QVERIFY(client.write(file, part * partBytes, m_data.substr(part * partBytes, partBytes), 0).is(nfs::Nfsstat3::Ok));
  }
  static std::string readAll(NfsClient& client, const std::string& file) {
    std::string all;
    for (size_t part = 0; part < partCount; ++part) {
      NfsReply reply = client.read(file, part * partBytes, partBytes);
      if (!reply.is(nfs::Nfsstat3::Ok)) return "status " + std::to_string(reply.status);
      readPostOp(reply.in);
      reply.in.u32();
      reply.in.boolean();
      all += reply.in.string(partBytes);
    }
    return all;
  }
  protocol::Savings savings() { return m_site.ask<protocol::EngineStatus>("status.show").value_or(protocol::EngineStatus{}).savings; }

 private Q_SLOTS:
  void initTestCase() {
    QCOMPARE(m_site.error, std::string());
    QVERIFY(m_site.request("vstorage.create", R"({"name":"alpha"})"));
  }

  void optimizedBytesReadBackAndTwinsCostNothing() {
    NfsClient client(m_site.nfsPort());
    const std::string root = client.mountRoot("/alpha");
    const std::string first = client.makeFile(root, "first.img"), twin = client.makeFile(root, "twin.img");
    writeAll(client, first);
    writeAll(client, twin);

    const protocol::JobInfo job = m_site.optimize();
    QCOMPARE(job.error, std::string());
    QVERIFY(job.state == protocol::JobState::Done);
    QCOMPARE(job.duplicateBytes, uint64_t{m_data.size()});
    QCOMPARE(job.newBytes, uint64_t{m_data.size()});
    QCOMPARE(job.freedBytes, uint64_t{2 * m_data.size()});
    QVERIFY(readAll(client, first) == m_data);
    QVERIFY(readAll(client, twin) == m_data);
    QCOMPARE(savings().landingBytes, uint64_t{0});
    QVERIFY(savings().storedBytes < m_data.size());

    // Landing wins over what was optimized, before and after it is optimized again.
    const std::string patch = guestData(10'000, 9);
    QVERIFY(client.write(twin, 4'190'000, patch).is(nfs::Nfsstat3::Ok));
    std::string expected = m_data;
    expected.replace(4'190'000, patch.size(), patch);
    QVERIFY(readAll(client, twin) == expected);
    QVERIFY(m_site.optimize().state == protocol::JobState::Done);
    QVERIFY(readAll(client, twin) == expected);
    QVERIFY(readAll(client, first) == m_data);

    QCOMPARE(m_site.optimize().bytesDone, uint64_t{0});  // nothing landed since: nothing to do

    m_site.restart();
    QCOMPARE(m_site.error, std::string());
    NfsClient again(m_site.nfsPort());
    QVERIFY(readAll(again, twin) == expected);
    QVERIFY(readAll(again, first) == m_data);
  }

  // What a host needs to keep its VMs: the limits are those after which it gives them up.
  void locksAndHeartbeatsGoOnWhileItRuns() {
    NfsClient client(m_site.nfsPort());
    const std::string root = client.mountRoot("/alpha"), lock = client.makeFile(root, ".lck-0100000000000000");
    for (int i = 0; i < 6; ++i) writeAll(client, client.makeFile(root, "busy" + std::to_string(i) + ".img"));
    protocol::JobStart start;
    start.minAgeSeconds = 0;
    auto job = m_site.ask<protocol::JobInfo>("job.start", protocol::toJson(start));
    int rounds = 0;
    for (; job && !protocol::hasEnded(job->state); ++rounds) {
      QElapsedTimer timer;
      timer.start();
      QVERIFY(client.getAttr(root).is(nfs::Nfsstat3::Ok));
      QVERIFY(timer.elapsed() < 1000);
      QVERIFY(client.write(lock, 0, std::string(84, static_cast<char>('a' + rounds % 26))).is(nfs::Nfsstat3::Ok));
      QVERIFY(timer.elapsed() < 5000);
      job = m_site.ask<protocol::JobInfo>("job.show", protocol::toJson(protocol::JobRequest{job->id}));
    }
    QVERIFY(job && job->state == protocol::JobState::Done && rounds > 0);
    QVERIFY(std::count(job->notes.begin(), job->notes.end(), "1 file excluded by .lck*") == 1);
  }
};

QTEST_GUILESS_MAIN(OptimizeFlowTest)
#include "optimize_flow_test.moc"
