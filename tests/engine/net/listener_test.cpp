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

  void connectionsAreBounded() {
    net::Listener listener(m_loops, m_handler);
    const auto port = listener.start({"127.0.0.1", 0});
    std::vector<std::unique_ptr<RpcClient>> clients;
    try {
      for (size_t i = 0; i < net::connectionsMax; ++i) clients.push_back(std::make_unique<RpcClient>(*port));
    } catch (const std::system_error&) {
      QSKIP("too few descriptors");
    }
    clients.back()->sendRecord(asBytes("0 0 last"));
    if (!clients.back()->receiveRecord()) QSKIP("too few descriptors");
    RpcClient oneMore(*port);
    QVERIFY(!oneMore.receiveRecord().has_value());
    QCOMPARE(listener.counters().refusedCount.load(), uint64_t{1});
    clients.clear();
    while (listener.counters().connectionCount.load() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    RpcClient again(*port);
    again.sendRecord(asBytes("0 0 again"));
    QVERIFY(again.receiveRecord().has_value());
  }
};

QTEST_GUILESS_MAIN(ListenerTest)
#include "listener_test.moc"
