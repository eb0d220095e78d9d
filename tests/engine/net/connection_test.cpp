// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/net/connection.h"

#include <QtTest/QtTest>
#include <set>
#include <string>
#include <thread>

#include "engine/net/listener.h"
#include "tests/support/echo_handler.h"
#include "tests/support/rpc_client.h"

using namespace quarry;
using test::RpcClient;

namespace {
std::string textOf(const std::optional<test::ByteVector>& record) { return record ? std::string(asText(*record)) : "closed"; }

void send(RpcClient& client, const std::string& text) { client.sendRecord(asBytes(text)); }
}  // namespace

class ConnectionTest : public QObject {
  Q_OBJECT

  net::LoopPool m_loops{2};
  test::EchoHandler m_handler;
  std::unique_ptr<net::Listener> m_listener;
  uint16_t m_port = 0;

  // Waits until `done` holds.
  template <class Condition>
  static void waitUntil(Condition done) {
    while (!done()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }

 private Q_SLOTS:
  void init() {
    m_listener = std::make_unique<net::Listener>(m_loops, m_handler);
    const auto port = m_listener->start({"127.0.0.1", 0});
    QVERIFY(port.has_value());
    m_port = *port;
  }
  void cleanup() { m_listener.reset(); }

  void slowRequestDelaysNoOther() {
    RpcClient client(m_port);
    send(client, "300 0 slow");
    send(client, "0 0 fast");
    QCOMPARE(textOf(client.receiveRecord()), std::string("fast"));
    QCOMPARE(textOf(client.receiveRecord()), std::string("slow"));
  }

  void dribbledAndFragmentedCallsAreAnswered() {
    RpcClient client(m_port);
    const auto bytes = test::marked(asBytes("0 0 dribbled"));
    for (std::byte byte : bytes) client.sendRaw({&byte, 1});
    QCOMPARE(textOf(client.receiveRecord()), std::string("dribbled"));
    const std::string fragments("\0\0\0\x04" "0 0 " "\0\0\0\0" "\x80\0\0\x05" "parts", 21);
    client.sendRaw(asBytes(fragments));
    QCOMPARE(textOf(client.receiveRecord()), std::string("parts"));
  }

  void bodyFollowsWithPadding() {
    RpcClient client(m_port);
    send(client, "0 1000001 head");
    const auto record = client.receiveRecord();
    QVERIFY(record.has_value());
    QCOMPARE(record->size(), size_t{4 + 1000001 + 3});
    QCOMPARE(std::string(asText(Bytes(*record).last(4))), std::string("x\0\0\0", 4));
  }

  // Far more at once than may run, from a client that reads only afterwards: nothing is lost and nothing locks up.
  void manyPipelinedRequestsAreAllAnswered() {
    RpcClient client(m_port);
    constexpr int count = 2000;
    std::thread sender([&] {
      for (int i = 0; i < count; ++i) send(client, std::to_string(i % 3) + " 20000 r" + std::to_string(i));
    });
    std::set<std::string> replies;
    for (int i = 0; i < count; ++i) {
      const std::string text = textOf(client.receiveRecord());
      replies.insert(text.substr(0, text.find('x')));
    }
    sender.join();
    QCOMPARE(replies.size(), size_t{count});
    QVERIFY(!replies.contains("closed"));
  }

  void readingStopsWhenRepliesAreNotTaken() {
    RpcClient client(m_port);
    const int before = m_handler.handledCount;
    // 400 MB of replies asked for; the server may make only what its limit and the sockets' buffers hold.
    for (int i = 0; i < 400; ++i) send(client, "0 1000000 r");
    waitUntil([&] { return m_listener->counters().repliesWaiting.load() > 0; });
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    QVERIFY(m_handler.handledCount - before < 400);
    for (int i = 0; i < 400; ++i) QCOMPARE(client.receiveRecord()->size(), size_t{1 + 1000000});
    QCOMPARE(m_handler.handledCount - before, 400);
  }

  void clientThatTakesNothingIsClosedWhenItsTimeIsOver() {
    asio::io_context loop;
    asio::ip::tcp::acceptor acceptor(loop, {asio::ip::address_v4::loopback(), 0});
    RpcClient client(acceptor.local_endpoint().port());
    RpcClient idle(acceptor.local_endpoint().port());
    const auto counters = std::make_shared<net::ConnectionCounters>();
    const auto connect = [&] { return std::make_shared<net::Connection>(acceptor.accept(), net::Peer{"127.0.0.1", 1}, m_handler, counters); };
    const auto stalled = connect(), quiet = connect();
    stalled->start();
    quiet->start();
    for (int i = 0; i < 100; ++i) send(client, "0 1000000 r");
    loop.run_for(std::chrono::milliseconds(300));  // fills what the sockets' buffers hold
    const auto now = std::chrono::steady_clock::now();
    stalled->closeIfStalled(now + net::sendStallMax - std::chrono::seconds(1));
    QCOMPARE(counters->connectionCount.load(), uint64_t{2});
    stalled->closeIfStalled(now + net::sendStallMax);
    quiet->closeIfStalled(now + std::chrono::hours(24));  // it waits for nothing
    QCOMPARE(counters->connectionCount.load(), uint64_t{1});
    quiet->close();
    loop.run_for(std::chrono::milliseconds(100));
    QCOMPARE(counters->repliesWaiting.load(), uint64_t{0});
  }

  // A heartbeat among hundreds of small requests that wait for a slow disk.
  void manySlowRequestsDelayNoOther() {
    RpcClient client(m_port);
    test::ByteVector stream;
    for (int i = 0; i < 300; ++i) {
      const auto record = test::marked(asBytes("400 0 slow"));
      stream.insert(stream.end(), record.begin(), record.end());
    }
    client.sendRaw(stream);
    send(client, "0 0 heartbeat");
    QCOMPARE(textOf(client.receiveRecord()), std::string("heartbeat"));
    for (int i = 0; i < 300; ++i) QCOMPARE(textOf(client.receiveRecord()), std::string("slow"));
  }

  void memoryOfOneConnectionIsBounded() {
    RpcClient client(m_port);
    const std::string large = "300 0 slow " + std::string(1'000'000, ' ');
    const auto& counters = m_listener->counters();
    std::thread sender([&] { for (int i = 0; i < 50; ++i) send(client, large); });
    waitUntil([&] { return counters.heldBytes.load() >= net::heldBytesPerConnectionMax; });
    QVERIFY(counters.heldBytes.load() < net::heldBytesPerConnectionMax + 2 * net::recordBytesMax);
    for (int i = 0; i < 50; ++i) QCOMPARE(textOf(client.receiveRecord()), std::string("slow"));
    sender.join();
    waitUntil([&] { return counters.heldBytes.load() == 0; });
  }

  void announcedReplyBytesAreHeldFromTheStart() {
    RpcClient client(m_port);
    for (int i = 0; i < 50; ++i) send(client, "300 1000000 r");
    waitUntil([&] { return m_listener->counters().requestsRunning.load() >= 30; });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    QVERIFY(m_listener->counters().requestsRunning.load() <= 34);
    for (int i = 0; i < 50; ++i) QVERIFY(client.receiveRecord().has_value());
  }

  // Several connections want far more than all may hold: none goes beyond it by more than its share, none is shut out, and all get through.
  void memoryOfAllConnectionsIsBounded() {
    net::Listener listener(m_loops, m_handler);
    const uint64_t budget = 4'000'000;
    const auto port = listener.start({.address = "127.0.0.1", .heldBytesMax = budget});
    const std::string large = "100 0 slow " + std::string(500'000, ' ');
    std::vector<std::unique_ptr<RpcClient>> clients;
    std::vector<std::thread> senders;
    for (int i = 0; i < 6; ++i) {
      clients.push_back(std::make_unique<RpcClient>(*port));
      senders.emplace_back([&large, &client = *clients.back()] { for (int k = 0; k < 10; ++k) send(client, large); });
    }
    waitUntil([&] { return listener.counters().heldBytes.load() >= budget; });
    RpcClient small(*port);
    send(small, "0 0 heartbeat");
    QCOMPARE(textOf(small.receiveRecord()), std::string("heartbeat"));
    uint64_t most = 0;
    for (auto& client : clients)
      for (int k = 0; k < 10; ++k) {
        most = std::max(most, listener.counters().heldBytes.load());
        QCOMPARE(textOf(client->receiveRecord()), std::string("slow"));
      }
    QVERIFY(most < 2 * budget + 6 * 600'000);
    for (auto& sender : senders) sender.join();
    waitUntil([&] { return listener.counters().heldBytes.load() == 0; });
  }

  void severalRepliesShareOneSend() {
    RpcClient client(m_port);
    const uint64_t before = m_listener->counters().sendCount;
    test::ByteVector stream;
    for (int i = 0; i < 60; ++i) {
      const auto record = test::marked(asBytes("0 0 r"));
      stream.insert(stream.end(), record.begin(), record.end());
    }
    client.sendRaw(stream);
    for (int i = 0; i < 60; ++i) QCOMPARE(textOf(client.receiveRecord()), std::string("r"));
    QVERIFY(m_listener->counters().sendCount - before < 30);
  }

  void whatIsNotTheProtocolEndsTheConnection() {
    RpcClient client(m_port);
    send(client, "bad");
    QVERIFY(!client.receiveRecord().has_value());
    RpcClient tooLong(m_port);
    tooLong.sendRaw(asBytes("\xff\xff\xff\xff"));
    QVERIFY(!tooLong.receiveRecord().has_value());
    RpcClient other(m_port);
    send(other, "0 0 alive");
    QCOMPARE(textOf(other.receiveRecord()), std::string("alive"));
  }

  void halfClosedClientStillGetsItsReplies() {
    RpcClient client(m_port);
    send(client, "100 0 late");
    client.shutdownSend();
    QCOMPARE(textOf(client.receiveRecord()), std::string("late"));
    QVERIFY(!client.receiveRecord().has_value());
  }

  void clientThatGoesAwayLeavesNothing() {
    {
      RpcClient client(m_port);
      send(client, "50 500000 r");
      send(client, "0 500000 r");
    }
    waitUntil([&] { return m_listener->counters().connectionCount.load() == 0; });
    waitUntil([&] { return m_listener->counters().requestsRunning.load() == 0; });
    QCOMPARE(m_listener->counters().repliesWaiting.load(), uint64_t{0});
  }
};

QTEST_GUILESS_MAIN(ConnectionTest)
#include "connection_test.moc"
