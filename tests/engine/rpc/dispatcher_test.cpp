// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rpc/dispatcher.h"

#include <QtTest/QtTest>
#include <array>
#include <stdexcept>

#include "tests/support/rpc_client.h"
#include "tests/support/run_task.h"

using namespace quarry;
using rpc::AcceptStat;

namespace {
struct Counter {
  int runs = 0;
};

Task<AcceptStat> doubleIt(Counter& counter, const rpc::RequestContext&, rpc::XdrReader& in, rpc::Reply& reply) {
  ++counter.runs;
  const uint32_t value = in.u32();
  reply.results().u32(2 * value);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  co_return AcceptStat::Success;
}

Task<AcceptStat> throwIt(Counter&, const rpc::RequestContext&, rpc::XdrReader&, rpc::Reply& reply) {
  reply.results().u32(1);
  throw std::runtime_error("memory ran out");
  co_return AcceptStat::Success;
}

size_t readBytes(rpc::XdrReader arguments) { return arguments.u32(); }

constexpr std::array<rpc::Procedure<Counter>, 3> table{{
    {{0, "DOUBLE", rpc::NoTrait, &readBytes}, &doubleIt},
    {{1, "THROW", rpc::NoTrait}, &throwIt},
    {{2, "DOUBLE_ONCE", rpc::ReplyCached}, &doubleIt},
}};
}  // namespace

class DispatcherTest : public QObject {
  Q_OBJECT

  Counter m_counter;
  rpc::TableProgram<Counter> m_program{4711, 3, table, m_counter};
  rpc::Dispatcher m_dispatcher;
  const net::Peer m_peer{"192.0.2.7", 800};

  Result<test::TestReply> call(uint32_t xid, const test::CallTarget& target, Bytes arguments, const net::Peer& peer) {
    const auto record = test::encodeCall(xid, target, {}, arguments);
    auto reply = test::runTask(m_dispatcher.handle(peer, net::Record::copyOf(record)));
    if (!reply) return fail(reply.error());
    return *test::decodeReply({reply->head.begin() + 4, reply->head.end()});
  }
  Result<test::TestReply> call(uint32_t xid, const test::CallTarget& target, Bytes arguments) { return call(xid, target, arguments, m_peer); }

  static test::ByteVector word(uint32_t value) {
    rpc::XdrWriter out;
    out.u32(value);
    return out.release();
  }

 private Q_SLOTS:
  void initTestCase() { m_dispatcher.add(m_program); }

  void replyBytesComeFromTheArguments() {
    const auto bytesOf = [this](const test::CallTarget& target, Bytes arguments) {
      return m_dispatcher.replyBytes(test::encodeCall(5, target, {1, 2, {3, 4}}, arguments));
    };
    QCOMPARE(bytesOf({4711, 3, 0}, word(70'000)), size_t{70'000});
    QCOMPARE(bytesOf({4711, 3, 0}, {}), size_t{0});
    QCOMPARE(bytesOf({4711, 3, 2}, word(70'000)), size_t{0});
    QCOMPARE(bytesOf({4711, 3, 9}, word(70'000)), size_t{0});
    QCOMPARE(bytesOf({4711, 4, 0}, word(70'000)), size_t{0});
    QCOMPARE(m_dispatcher.replyBytes(word(1)), size_t{0});
  }

  void successCarriesResults() {
    const auto reply = call(5, {4711, 3, 0}, word(21));
    QCOMPARE(reply->xid, 5u);
    QCOMPARE(reply->stat, 0u);
    QVERIFY(reply->results == word(42));
  }

  void refusalsFollowTheProtocol() {
    QCOMPARE(call(1, {4712, 3, 0}, {})->stat, 1u);
    const auto mismatch = call(1, {4711, 2, 0}, {});
    QCOMPARE(mismatch->stat, 2u);
    QCOMPARE(mismatch->results.size(), size_t{8});
    QCOMPARE(mismatch->results[3], std::byte{3});
    QCOMPARE(mismatch->results[7], std::byte{3});
    QCOMPARE(call(1, {4711, 3, 3}, {})->stat, 3u);
    const auto garbage = call(1, {4711, 3, 0}, {});
    QCOMPARE(garbage->stat, 4u);
    QVERIFY(garbage->results.empty());
    const auto thrown = call(1, {4711, 3, 1}, {});
    QCOMPARE(thrown->stat, 5u);
    QVERIFY(thrown->results.empty());
  }

  void otherRpcVersionsAreDenied() {
    const auto reply = call(9, {4711, 3, 0, 3}, {});
    QVERIFY(reply->denied);
    QCOMPARE(reply->stat, 0u);
    QCOMPARE(reply->results.size(), size_t{8});
  }

  void whatIsNoCallDropsTheConnection() {
    const auto reply = test::runTask(m_dispatcher.handle(m_peer, net::Record::copyOf(asBytes("abcd"))));
    QCOMPARE(reply.error().code, ErrorCode::Protocol);
  }

  void retransmissionRunsOnce() {
    m_counter.runs = 0;
    const auto first = call(77, {4711, 3, 2}, word(4)), again = call(77, {4711, 3, 2}, word(4), {"192.0.2.7", 999});
    QCOMPARE(m_counter.runs, 1);
    QVERIFY(first->results == again->results);
    call(77, {4711, 3, 2}, word(5));                   // same xid, another call
    call(78, {4711, 3, 2}, word(4));                   // another xid
    call(77, {4711, 3, 2}, word(4), {"192.0.2.8", 1}); // another client
    QCOMPARE(m_counter.runs, 4);
    QCOMPARE(m_dispatcher.retransmissionCount(), uint64_t{1});
  }
};

QTEST_GUILESS_MAIN(DispatcherTest)
#include "dispatcher_test.moc"
