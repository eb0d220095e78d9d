// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/sequential_reads.h"

#include <QTest>

using namespace quarry::cache;

class SequentialReadsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aReaderInOrderIsReadAheadForInGrowingPieces() {
    SequentialReads reads;
    uint64_t aheadEnd = 0, pieces = 0;
    for (uint64_t block = 0; block < 4000; block += 8) {
      const auto ahead = reads.note({block, 8});
      if (!ahead) continue;
      ++pieces;
      QVERIFY(ahead->first >= block + 8 && ahead->first >= aheadEnd);  // nothing twice
      QVERIFY(ahead->end() <= block + 8 + SequentialReads::windowBlocksMax);
      aheadEnd = ahead->end();
    }
    QVERIFY(aheadEnd >= 4000 + SequentialReads::windowBlocksMax / 2);
    QVERIFY(pieces < 4000 / (SequentialReads::windowBlocksMax / 2) + 10);
  }

  void randomReadsAreLeftAlone() {
    SequentialReads reads;
    uint64_t place = 1;
    for (int i = 0; i < 10'000; ++i) {
      place = place * 6364136223846793005ull + 1442695040888963407ull;
      QVERIFY(!reads.note({(place >> 33) % 100'000'000, 1}));
    }
  }

  void severalReadersAndReorderedReadsAreRecognised() {
    SequentialReads reads;
    int ahead = 0;
    for (uint64_t i = 0; i < 100; ++i) {
      const uint64_t piece = i ^ 1;  // each pair the wrong way round
      for (const uint64_t base : {uint64_t{0}, uint64_t{1'000'000}, uint64_t{2'000'000}}) ahead += reads.note({base + piece * 32, 32}).has_value();
    }
    QVERIFY(ahead > 20);
  }
};

QTEST_GUILESS_MAIN(SequentialReadsTest)
#include "sequential_reads_test.moc"
