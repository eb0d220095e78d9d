// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCryptographicHash>
#include <QTest>

#include "engine/blockstore/fingerprint.h"
#include "tests/support/made_blocks.h"

using namespace quarry;
using namespace quarry::blockstore;

class FingerprintTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void isSha256OfKeyAndBlock() {
    const StoreKey key = test::madeKey();
    Fingerprinter fingerprinter(key);
    for (uint64_t seed = 1; seed < 20; ++seed) {
      const auto block = test::madeBlocks({seed});
      QCryptographicHash hash(QCryptographicHash::Sha256);
      hash.addData(QByteArray(reinterpret_cast<const char*>(key.data()), static_cast<qsizetype>(key.size())));
      hash.addData(QByteArray(reinterpret_cast<const char*>(block.data()), static_cast<qsizetype>(block.size())));
      const Fingerprint fingerprint = fingerprinter(block);
      QCOMPARE(std::memcmp(fingerprint.data(), hash.result().constData(), fingerprint.size()), 0);
    }
  }

  void dependsOnTheKey() {
    const auto block = test::madeBlocks({7});
    QVERIFY(Fingerprinter(test::madeKey(1))(block) != Fingerprinter(test::madeKey(2))(block));
  }

  void aSixteenthAreHooks() {
    Fingerprinter fingerprinter(test::madeKey());
    int hooks = 0;
    for (uint64_t seed = 1; seed <= 4000; ++seed) hooks += isHook(fingerprinter(std::as_bytes(std::span(&seed, 1)))) ? 1 : 0;
    QVERIFY2(hooks > 180 && hooks < 330, qPrintable(QString::number(hooks)));
  }
};

QTEST_GUILESS_MAIN(FingerprintTest)
#include "fingerprint_test.moc"
