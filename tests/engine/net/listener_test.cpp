// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/net/listener.h"

#include <QtTest/QtTest>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/echo_handler.h"
#include "tests/support/rpc_client.h"

using namespace quarry;
using test::RpcClient;

class ListenerTest : public QObject {
  Q_OBJECT

  net::LoopPool m_loops{2};
  test::EchoHandler m_handler;

  static bool isServed(RpcClient& client) {
    client.sendRecord(asBytes("0 0 r"));
    return client.receiveRecord().has_value();
  }

 private Q_SLOTS:
  void portInUseIsNamed() {
    net::Listener first(m_loops, m_handler), second(m_loops, m_handler);
    const auto port = first.start({"127.0.0.1", 0});
    QVERIFY(port.has_value());
    QVERIFY(*port != 0);
    const auto refused = second.start({"127.0.0.1", *port});
    QCOMPARE(refused.error().code, ErrorCode::Busy);
    QVERIFY(refused.error().message.find(std::to_string(*port)) != std::string::npos);
    QVERIFY(refused.error().message.find("choose another port") != std::string::npos);
  }

  void badAddressesAreRefused() {
    net::Listener listener(m_loops, m_handler);
    QCOMPARE(listener.start({"localhost..", 0}).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(listener.start({"192.0.2.1", 0}).error().code, ErrorCode::InvalidArgument);
  }

  void sixAndFourShareOneSocket() {
    net::Listener listener(m_loops, m_handler);
    const auto port = listener.start({"::", 0});
    if (!port) QSKIP("no IPv6 here");
    RpcClient client(*port);
    client.sendRecord(asBytes("0 0 four"));
    QVERIFY(client.receiveRecord().has_value());
  }

  void portIsFreeAfterStop() {
    uint16_t port = 0;
    for (int round = 0; round < 3; ++round) {
      net::Listener listener(m_loops, m_handler);
      const auto started = listener.start({"127.0.0.1", port});
      QVERIFY(started.has_value());
      port = *started;
      RpcClient client(port);
      client.sendRecord(asBytes("0 0 r"));
      QVERIFY(client.receiveRecord().has_value());
      QVERIFY(listener.stop(std::chrono::seconds(5)));
      QVERIFY(!client.receiveRecord().has_value());
    }
  }

  void stopLetsRequestsFinish() {
    net::Listener listener(m_loops, m_handler);
    const auto port = listener.start({"127.0.0.1", 0});
    RpcClient client(*port);
    client.sendRecord(asBytes("300 0 late"));
    while (listener.counters().requestsRunning.load() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    QVERIFY(listener.stop(std::chrono::seconds(5)));
    QVERIFY(client.receiveRecord().has_value());
    QVERIFY(!client.receiveRecord().has_value());
  }

  void stopCutsOffWhatTakesTooLong() {
    net::Listener listener(m_loops, m_handler);
    const auto port = listener.start({"127.0.0.1", 0});
    RpcClient client(*port);
    client.sendRecord(asBytes("500 0 never"));
    while (listener.counters().requestsRunning.load() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    QVERIFY(!listener.stop(std::chrono::milliseconds(10)));
    QVERIFY(!client.receiveRecord().has_value());
  }

  // A host that lost power leaves connections behind; the limit must not keep it out when it is back.
  void addressBeyondItsLimitGivesUpItsSilentOne() {
    net::Listener listener(m_loops, m_handler);
    const auto port = listener.start({.address = "127.0.0.1", .connectionsPerAddressMax = 3});
    RpcClient first(*port), second(*port), third(*port);
    for (RpcClient* client : {&first, &second, &third, &first}) QVERIFY(isServed(*client));
    RpcClient fourth(*port);
    QVERIFY(isServed(fourth));
    QVERIFY(!second.receiveRecord().has_value());
    for (RpcClient* client : {&first, &third, &fourth}) QVERIFY(isServed(*client));
    RpcClient other(*port, "127.0.0.2");
    QVERIFY(isServed(other));
    QCOMPARE(listener.counters().evictedCount.load(), uint64_t{1});
  }

  void addressWithMostMakesRoomForOthers() {
    net::Listener listener(m_loops, m_handler);
    const auto port = listener.start({.address = "127.0.0.1", .connectionsMax = 20});
    RpcClient host(*port, "127.0.0.2");
    QVERIFY(isServed(host));
    std::vector<std::unique_ptr<RpcClient>> many;
    for (int i = 0; i < 19; ++i) {
      many.push_back(std::make_unique<RpcClient>(*port));
      QVERIFY(isServed(*many.back()));
    }
    RpcClient back(*port, "127.0.0.3");
    QVERIFY(isServed(back));
    QVERIFY(isServed(host));
    QVERIFY(!many.front()->receiveRecord().has_value());
    for (auto& one : many)
      if (one != many.front()) QVERIFY(isServed(*one));
    many.clear();
    while (listener.counters().connectionCount.load() > 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    QCOMPARE(listener.counters().evictedCount.load(), uint64_t{1});
  }
};

QTEST_GUILESS_MAIN(ListenerTest)
#include "listener_test.moc"
