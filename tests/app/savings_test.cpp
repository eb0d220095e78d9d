// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/savings.h"

#include <QtTest>

using namespace quarry;

class SavingsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void partsAddUp() {
    protocol::Savings savings{.logicalBytes = 1000, .zeroBytes = 200, .duplicateBytes = 400, .compressedAwayBytes = 200, .storedBytes = 200};
    QCOMPARE(nonZeroBytes(savings), uint64_t{800});
    QCOMPARE(afterDedupBytes(savings), uint64_t{400});
    QCOMPARE(afterCompressionBytes(savings), uint64_t{200});
    QCOMPARE(savedBytes(savings), uint64_t{600});
    QCOMPARE(savedRatio(savings), 0.75);
    QCOMPARE(dedupFactor(savings), 2.0);
    QCOMPARE(compressionFactor(savings), 2.0);
  }

  void nothingStoredIsNoDivision() {
    const protocol::Savings none;
    QCOMPARE(savedRatio(none), 0.0);
    QCOMPARE(dedupFactor(none), 1.0);
    QCOMPARE(compressionFactor(none), 1.0);
  }

  void inconsistentNumbersStayAtZero() {
    const protocol::Savings torn{.logicalBytes = 100, .zeroBytes = 150, .duplicateBytes = 20};
    QCOMPARE(nonZeroBytes(torn), uint64_t{0});
    QCOMPARE(afterCompressionBytes(torn), uint64_t{0});
    QCOMPARE(savedRatio(torn), 0.0);
  }

  void totalSumsUp() {
    protocol::VstorageInfo one;
    one.savings = {.logicalBytes = 100, .zeroBytes = 0, .duplicateBytes = 50, .compressedAwayBytes = 0, .storedBytes = 50, .landingBytes = 10};
    const protocol::Savings total = totalSavings({one, one});
    QCOMPARE(total.logicalBytes, uint64_t{200});
    QCOMPARE(total.landingBytes, uint64_t{20});
    QCOMPARE(total.savedRatio, 0.5);
    QCOMPARE(totalSavings({}).logicalBytes, uint64_t{0});
  }
};

QTEST_GUILESS_MAIN(SavingsTest)
#include "savings_test.moc"
