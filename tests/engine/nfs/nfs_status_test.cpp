// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs_status.h"

#include <QTest>
#include <algorithm>
#include <array>

using namespace quarry;
using namespace quarry::nfs;

class NfsStatusTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void fullIsFull() {
    QVERIFY(toNfsStatus(ErrorCode::NoSpace) == Nfsstat3::NoSpc);
    QVERIFY(toNfsStatus(ErrorCode::QuotaExceeded) == Nfsstat3::NoSpc);
  }
  void mountUsesItsOwnValuesOnly() {
    constexpr std::array<uint32_t, 10> known{0, 1, 2, 5, 13, 20, 22, 63, 10004, 10006};  // RFC 1813 section 5.1.5
    for (int code = 0; code <= static_cast<int>(ErrorCode::Internal); ++code)
      QVERIFY(std::ranges::count(known, static_cast<uint32_t>(toMountStatus(static_cast<ErrorCode>(code)))) == 1);
    QVERIFY(toMountStatus(ErrorCode::Stale) == Nfsstat3::NoEnt);
    QVERIFY(toMountStatus(ErrorCode::AccessDenied) == Nfsstat3::Acces);
  }
};

QTEST_GUILESS_MAIN(NfsStatusTest)
#include "nfs_status_test.moc"
