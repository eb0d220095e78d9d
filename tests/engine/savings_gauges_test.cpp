// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/savings_gauges.h"

#include <QTest>

#include "engine/base/spawn.h"
#include "tests/support/vstorage_site.h"

namespace quarry::test {

class SavingsGaugesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void usedSpaceReachesTheAttributes() {
    VstorageSite site;
    auto vms = site.make("vms");
    const FileId file = site.makeFile(*vms, vms->root(), "thin-flat.vmdk");
    QVERIFY(site.setSize(*vms, file, uint64_t{1} << 30));
    QVERIFY(site.write(*vms, file, 0, std::string(3 * blockBytes, 'x')));
    QVERIFY(!vms->getAttributes(file)->usedBytes);
    site.clock.advance(std::chrono::minutes(1));  // figures from before are old now
    StatRegistry registry;
    SavingsGauges gauges(registry, *site.savings, *site.table, *site.inodes);
    asio::io_context context;
    spawn(context, gauges.run());
    for (int i = 0; i < 500 && !vms->getAttributes(file)->usedBytes; ++i) context.run_for(std::chrono::milliseconds(10));
    QCOMPARE(vms->getAttributes(file)->usedBytes.value(), 3 * blockBytes);
    gauges.stop();
    context.run();
  }
};

}  // namespace quarry::test

QTEST_GUILESS_MAIN(quarry::test::SavingsGaugesTest)
#include "savings_gauges_test.moc"
