// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/journal/group.h"

#include <QTest>

#include "tests/engine/journal/journal_site.h"

using namespace quarry;
using namespace quarry::journal;

class GroupTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void groupsComeBack() {
    const MadeBlocks first(7, 3, 2, 1), second(8, 1ull << 40, 1, 2);
    GroupWriter writer(42);
    writer.add(writeOf(7, 3, first));
    writer.add({.kind = EntryKind::Landed, .fileid = 9, .firstBlock = 0, .sizeAfter = 1234, .before = 5, .data = {}, .landedBlocks = 7});
    writer.add(writeOf(8, 1ull << 40, second));
    const AlignedBuffer bytes = writer.encode(17);
    QCOMPARE(bytes.size(), writer.encodedBytes());
    const auto shape = parseGroupShape(42, bytes.bytes());
    QVERIFY(shape.has_value());
    QCOMPARE(shape->sequence, uint64_t{17});
    QCOMPARE(shape->bytes(), bytes.size());
    const auto entries = parseGroup(42, bytes.bytes());
    QVERIFY(entries.has_value());
    QCOMPARE(entries->size(), size_t{3});
    QVERIFY(std::ranges::equal((*entries)[0].entry.data, first.bytes()));
    QVERIFY((*entries)[1].entry.kind == EntryKind::Landed);
    QCOMPARE((*entries)[1].entry.before, uint64_t{5});
    QCOMPARE((*entries)[1].entry.blockCount(), uint32_t{7});
    QCOMPARE((*entries)[2].entry.firstBlock, uint64_t{1ull << 40});
    QVERIFY(std::ranges::equal((*entries)[2].entry.data, second.bytes()));
  }

  void anotherRingsGroupIsNone() {
    const MadeBlocks blocks(7, 3, 1, 1);
    GroupWriter writer(42);
    writer.add(writeOf(7, 3, blocks));
    const AlignedBuffer bytes = writer.encode(1);
    QVERIFY(!parseGroupShape(43, bytes.bytes()));
  }

  void everyDamagedByteIsNoticed() {
    const MadeBlocks blocks(7, 3, 1, 1);
    GroupWriter writer(42);
    writer.add(writeOf(7, 3, blocks));
    AlignedBuffer bytes = writer.encode(1);
    for (size_t at = 0; at < bytes.size(); at += at < 256 ? 1 : 61) {
      bytes.data()[at] ^= std::byte{0x10};
      const auto entries = parseGroup(42, bytes.bytes());
      QVERIFY2(!entries || (*entries)[0].isDamaged, qPrintable(QString::number(at)));
      bytes.data()[at] ^= std::byte{0x10};
    }
    QVERIFY(parseGroup(42, bytes.bytes()).has_value());
  }

  void checkpointsComeBackAndDamageIsNoticed() {
    AlignedBuffer block = encodeCheckpoint({.ringId = 5, .areaBytes = areaBytesMin, .count = 3, .sequence = 99, .position = 8192});
    const auto checkpoint = parseCheckpoint(block.bytes());
    QVERIFY(checkpoint.has_value());
    QCOMPARE(checkpoint->sequence, uint64_t{99});
    QCOMPARE(checkpoint->position, uint64_t{8192});
    for (size_t at = 0; at < sizeof(CheckpointHeader); ++at) {
      block.data()[at] ^= std::byte{1};
      QVERIFY(!parseCheckpoint(block.bytes()));
      block.data()[at] ^= std::byte{1};
    }
  }
};

QTEST_GUILESS_MAIN(GroupTest)
#include "group_test.moc"
