// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs_server.h"

#include <QtTest/QtTest>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/nfs_fixture.h"

using namespace quarry;
using namespace quarry::test;

class NfsServerTest : public QObject {
  Q_OBJECT

  std::unique_ptr<NfsFixture> m_nfs;
  std::unique_ptr<NfsClient> m_client;
  std::string m_root;

  // A REMOVE or CREATE GUARDED as bytes, so that it can be sent again as it was.
  ByteVector callBytes(uint32_t procedure, const std::string& name, uint32_t xid) {
    rpc::XdrWriter out;
    out.string(m_root);
    out.string(name);
    if (procedure == 8) {
      out.u32(1);
      writeSattr(out, 0644);
    }
    return encodeCall(xid, {nfs::nfsProgramNumber, 3, procedure}, {}, out.bytes());
  }
  NfsReply sendAndWait(NfsClient& client, const ByteVector& call) {
    client.sendRecord(call);
    return NfsClient::decode(client.receiveReply());
  }

 private Q_SLOTS:
  void init() {
    m_nfs = std::make_unique<NfsFixture>();
    m_client = std::make_unique<NfsClient>(m_nfs->port);
    m_root = m_client->mountRoot("/alpha");
    QVERIFY(!m_root.empty());
  }

  void nullAndRefusals() {
    QCOMPARE(m_client->call({nfs::nfsProgramNumber, 3, 0})->stat, 0u);
    QCOMPARE(m_client->call({nfs::nfsProgramNumber, 4, 0})->stat, 2u);
    QCOMPARE(m_client->call({nfs::nfsProgramNumber, 3, 22})->stat, 3u);
    QCOMPARE(m_client->call({100021, 4, 0})->stat, 1u);
    QVERIFY(m_client->call({nfs::nfsProgramNumber, 3, 0, 3})->denied);
    QCOMPARE(m_client->call({nfs::nfsProgramNumber, 3, 1})->stat, 4u);
  }

  void lostReplyOfRemoveComesAgain() {
    m_client->makeFile(m_root, "victim");
    const ByteVector call = callBytes(12, "victim", 9000);
    m_client->sendRecord(call);
    m_client->receiveReply();
    NfsClient reconnected(m_nfs->port);
    QVERIFY(sendAndWait(reconnected, call).is(Nfsstat3::Ok));
    QCOMPARE(m_nfs->alpha->removeCount.load(), 1);
    QVERIFY(sendAndWait(reconnected, callBytes(12, "victim", 9001)).is(Nfsstat3::NoEnt));
    QCOMPARE(m_nfs->server.retransmissionCount(), uint64_t{1});
  }

  void retransmissionOfARunningCreateWaits() {
    m_nfs->alpha->createDelayMs = 200;
    const ByteVector call = callBytes(8, ".lck-1", 9100);
    NfsClient second(m_nfs->port), third(m_nfs->port);
    m_client->sendRecord(call);
    while (m_nfs->alpha->createCount == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    second.sendRecord(call);
    third.sendRecord(call);
    for (NfsClient* client : {m_client.get(), &second, &third}) QVERIFY(NfsClient::decode(client->receiveReply()).is(Nfsstat3::Ok));
    QCOMPARE(m_nfs->alpha->createCount.load(), 1);
  }

  void oneOfManyRacingCreatorsWins() {
    std::vector<std::unique_ptr<NfsClient>> hosts;
    for (int i = 0; i < 20; ++i) hosts.push_back(std::make_unique<NfsClient>(m_nfs->port));
    for (uint32_t i = 0; i < hosts.size(); ++i) hosts[i]->sendRecord(callBytes(8, ".lck-2", 9200 + i));
    int won = 0, exists = 0;
    for (auto& host : hosts) {
      const NfsReply reply = NfsClient::decode(host->receiveReply());
      won += reply.is(Nfsstat3::Ok);
      exists += reply.is(Nfsstat3::Exist);
    }
    QCOMPARE(won, 1);
    QCOMPARE(exists, 19);
  }

  void heartbeatOvertakesSlowWrites() {
    const std::string file = m_client->makeFile(m_root, "slow");
    m_nfs->alpha->writeDelayMs = 300;
    rpc::XdrWriter write;
    write.string(file);
    write.u64(0);
    for (uint32_t word : {4u, 2u}) write.u32(word);
    write.string("slow");
    for (uint32_t i = 0; i < 20; ++i) m_client->sendRecord(encodeCall(i, {nfs::nfsProgramNumber, 3, 7}, {}, write.bytes()));
    rpc::XdrWriter heartbeat;
    heartbeat.string(m_root);
    m_client->sendRecord(encodeCall(777, {nfs::nfsProgramNumber, 3, 1}, {}, heartbeat.bytes()));
    QCOMPARE(m_client->receiveReply()->xid, 777u);
    for (int i = 0; i < 20; ++i) QVERIFY(NfsClient::decode(m_client->receiveReply()).is(Nfsstat3::Ok));
  }

  void handlesSurviveARestart() {
    const std::string file = m_client->makeFile(m_root, "kept");
    QVERIFY(m_nfs->server.stop());
    nfs::NfsServer again(m_nfs->options(), m_nfs->loops, m_nfs->exports, m_nfs->clock);
    NfsClient client(*again.start());
    QVERIFY(client.getAttr(file).is(Nfsstat3::Ok));
  }

  void removedExportIsStaleAndKeepsTheConnection() {
    m_nfs->exports.removeAll();
    QVERIFY(m_client->getAttr(m_root).is(Nfsstat3::Stale));
    QVERIFY(m_client->getAttr(m_root).is(Nfsstat3::Stale));
    QCOMPARE(m_nfs->server.counters().connectionCount.load(), uint64_t{1});
  }

  void portInUseIsAnError() {
    nfs::NfsServerOptions options = m_nfs->options();
    options.port = m_nfs->port;
    nfs::NfsServer second(options, m_nfs->loops, m_nfs->exports, m_nfs->clock);
    const auto refused = second.start();
    QVERIFY(!refused.has_value());
    QVERIFY(refused.error().message.find(std::to_string(m_nfs->port)) != std::string::npos);
  }

  void stopAnswersWhatWasAsked() {
    const std::string file = m_client->makeFile(m_root, "last");
    m_nfs->alpha->writeDelayMs = 200;
    rpc::XdrWriter write;
    write.string(file);
    write.u64(0);
    for (uint32_t word : {4u, 2u}) write.u32(word);
    write.string("last");
    m_client->sendRecord(encodeCall(1, {nfs::nfsProgramNumber, 3, 7}, {}, write.bytes()));
    while (m_nfs->server.counters().requestsRunning.load() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    QVERIFY(m_nfs->server.stop());
    QVERIFY(NfsClient::decode(m_client->receiveReply()).is(Nfsstat3::Ok));
    QVERIFY(!m_client->receiveReply().has_value());
  }

  void manyClientsComeBackAtOnce() {
    std::vector<std::unique_ptr<NfsClient>> hosts;
    for (int i = 0; i < 200; ++i) hosts.push_back(std::make_unique<NfsClient>(m_nfs->port));
    for (auto& host : hosts) QVERIFY(host->getAttr(m_root).is(Nfsstat3::Ok));
    QCOMPARE(m_nfs->server.counters().evictedCount.load(), uint64_t{0});
  }
};

QTEST_GUILESS_MAIN(NfsServerTest)
#include "nfs_server_test.moc"
