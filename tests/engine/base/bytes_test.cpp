// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/bytes.h"

#include <QTest>

#include "engine/base/checksum.h"

using namespace quarry;

class BytesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void zeroTestSeesEveryByte() {
    AlignedBuffer buffer(blockBytes);
    buffer.clear();
    QVERIFY(isZero(buffer.bytes()));
    QVERIFY(isZero(Bytes{}));
    for (const size_t at : {size_t{0}, size_t{1}, size_t{4094}, size_t{4095}}) {
      buffer.data()[at] = std::byte{1};
      QVERIFY(!isZero(buffer.bytes()));
      buffer.data()[at] = std::byte{0};
    }
  }

  void buffersAreAlignedAlsoWhenEmpty() {
    for (const size_t size : {size_t{0}, size_t{1}, size_t{4096}, size_t{5000}}) {
      const AlignedBuffer buffer(size);
      QCOMPARE(reinterpret_cast<uintptr_t>(buffer.data()) % blockBytes, uintptr_t{0});
      QCOMPARE(buffer.size(), size);
    }
  }

  void alignmentRounds() {
    QCOMPARE(alignDown(4097, 4096), uint64_t{4096});
    QCOMPARE(alignUp(4097, 4096), uint64_t{8192});
    QCOMPARE(alignUp(4096, 4096), uint64_t{4096});
  }

  void littleEndianRoundTrip() {
    std::byte bytes[8];
    storeLittle<uint64_t>(bytes, 0x0102030405060708ull);
    QCOMPARE(bytes[0], std::byte{8});
    QCOMPARE(loadLittle<uint64_t>(bytes), 0x0102030405060708ull);
  }

  void checksumDependsOnBytesAndSeed() {
    QVERIFY(checksum(asBytes("abc")) != checksum(asBytes("abd")));
    QVERIFY(checksum(asBytes("abc"), 1) != checksum(asBytes("abc"), 2));
  }
};

QTEST_GUILESS_MAIN(BytesTest)
#include "bytes_test.moc"
