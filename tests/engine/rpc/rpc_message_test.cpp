// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rpc/rpc_message.h"

#include <QtTest/QtTest>
#include <string>

#include "tests/support/rpc_client.h"

using namespace quarry;
using rpc::AuthStat;

namespace {
// A call with a credential of any bytes.
test::ByteVector callWith(uint32_t flavor, Bytes credential) {
  rpc::XdrWriter out;
  for (uint32_t word : {1u, 0u, 2u, 100003u, 3u, 1u, flavor}) out.u32(word);
  out.opaque(credential);
  out.u32(0);
  out.u32(0);
  return out.release();
}

test::ByteVector authSys(const std::string& machine, uint32_t groupCount) {
  rpc::XdrWriter out;
  out.u32(0);
  out.string(machine);
  out.u32(1000);
  out.u32(1001);
  out.u32(groupCount);
  for (uint32_t i = 0; i < groupCount; ++i) out.u32(2000 + i);
  return out.release();
}
}  // namespace

class RpcMessageTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void authSysIsRead() {
    const auto record = callWith(1, authSys("host", 16));
    const auto call = rpc::decodeCall(record);
    QVERIFY(call.has_value());
    QVERIFY(!call->refusal);
    QCOMPARE(call->credential.uid, 1000u);
    QCOMPARE(call->credential.gid, 1001u);
    QCOMPARE(call->credential.groups.size(), size_t{16});
    QCOMPARE(call->credential.groups[15], 2015u);
    QCOMPARE(call->argumentsAt, record.size());
  }

  void authNoneIsNobody() {
    const auto call = rpc::decodeCall(callWith(0, {}));
    QVERIFY(call.has_value());
    QVERIFY(!call->refusal);
    QCOMPARE(call->credential.uid, 65534u);
  }

  void badCredentialsAreRefused() {
    QCOMPARE(rpc::decodeCall(callWith(1, authSys("host", 17)))->refusal, AuthStat::BadCredential);
    QCOMPARE(rpc::decodeCall(callWith(1, authSys(std::string(256, 'm'), 0)))->refusal, AuthStat::BadCredential);
    QVERIFY(!rpc::decodeCall(callWith(1, authSys(std::string(255, 'm'), 0)))->refusal);
    QCOMPARE(rpc::decodeCall(callWith(1, asBytes("short")))->refusal, AuthStat::BadCredential);
    QCOMPARE(rpc::decodeCall(callWith(6, asBytes("gssx")))->refusal, AuthStat::TooWeak);
    QCOMPARE(rpc::decodeCall(callWith(1, test::ByteVector(401)))->refusal, AuthStat::BadCredential);
  }

  void missingVerifierIsRefused() {
    auto record = callWith(1, authSys("host", 0));
    record.resize(record.size() - 4);
    QCOMPARE(rpc::decodeCall(record)->refusal, AuthStat::BadVerifier);
  }

  void whatIsNoCallIsAnError() {
    QCOMPARE(rpc::decodeCall({}).error().code, ErrorCode::Protocol);
    auto record = callWith(0, {});
    QCOMPARE(rpc::decodeCall(Bytes(record).first(20)).error().code, ErrorCode::Protocol);
    record[7] = std::byte{1};
    QCOMPARE(rpc::decodeCall(record).error().code, ErrorCode::Protocol);
  }
};

QTEST_GUILESS_MAIN(RpcMessageTest)
#include "rpc_message_test.moc"
