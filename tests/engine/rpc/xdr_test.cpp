// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rpc/xdr.h"

#include <QtTest/QtTest>
#include <string>

using namespace quarry;
using rpc::XdrReader;
using rpc::XdrWriter;

class XdrTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void bytesAreBigEndianAndPadded() {
    XdrWriter out;
    out.u32(0x01020304);
    out.u64(0x0102030405060708);
    out.boolean(true);
    out.string("abcde");
    out.fixedOpaque(asBytes("xy"));
    const std::string expected(
        "\x01\x02\x03\x04\x01\x02\x03\x04\x05\x06\x07\x08\0\0\0\x01\0\0\0\x05"
        "abcde\0\0\0xy\0\0", 32);
    QCOMPARE(std::string(asText(out.bytes())), expected);
    XdrReader in(out.bytes());
    QCOMPARE(in.u32(), 0x01020304u);
    QCOMPARE(in.u64(), uint64_t{0x0102030405060708});
    QVERIFY(in.boolean());
    QCOMPARE(std::string(in.string(5)), std::string("abcde"));
    QCOMPARE(std::string(asText(in.fixedOpaque(2))), std::string("xy"));
    QVERIFY(in.ok());
    QVERIFY(in.rest().empty());
  }

  void shortInputFailsAndStaysFailed() {
    XdrReader in(asBytes("\x01\x01\x01"));
    QCOMPARE(in.u32(), 0u);
    QVERIFY(!in.ok());
    QCOMPARE(in.u64(), uint64_t{0});
    QVERIFY(!in.boolean());
    QVERIFY(in.opaque(100).empty());
    QVERIFY(in.rest().empty());
  }

  void limitsHold() {
    XdrWriter out;
    out.string("abcdefgh");
    XdrReader tooLong(out.bytes());
    QVERIFY(tooLong.string(7).empty());
    QVERIFY(!tooLong.ok());
    XdrReader lying(asBytes(std::string_view("\xff\xff\xff\xff" "abcd", 8)));
    QVERIFY(lying.opaque(SIZE_MAX).empty());
    QVERIFY(!lying.ok());
    XdrReader missingPadding(asBytes(std::string_view("\0\0\0\x01" "a", 5)));
    QVERIFY(missingPadding.opaque(10).empty());
    QVERIFY(!missingPadding.ok());
  }

  void paddingMayHoldAnything() {
    XdrReader in(asBytes(std::string_view("\0\0\0\x01" "a\xee\xee\xee", 8)));
    QCOMPARE(std::string(in.string(10)), std::string("a"));
    QVERIFY(in.ok());
  }

  void booleanIsZeroOrOne() {
    XdrReader in(asBytes(std::string_view("\0\0\0\x02", 4)));
    QVERIFY(!in.boolean());
    QVERIFY(!in.ok());
  }
};

QTEST_GUILESS_MAIN(XdrTest)
#include "xdr_test.moc"
