// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stats/history_rings.h"

#include <QTest>
#include <cmath>

using namespace quarry;

namespace {
HistoryRings filled() {
  HistoryRings rings;
  for (int second = 0; second < 400; ++second) {
    rings.add("engine/read/iops", (1'000'000 + second) * int64_t{1000}, second);
    rings.add("vstorage/a/read/iops", (1'000'000 + second) * int64_t{1000}, 7);
  }
  return rings;
}
constexpr int64_t nowMs = 1'000'399'000;
}  // namespace

class HistoryRingsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void fourSpans() {
    const HistoryRings rings = filled();
    for (const HistorySpan span : historySpans) {
      const auto series = rings.series("engine/read/iops", span.spanSeconds, nowMs);
      QVERIFY(series.has_value());
      QCOMPARE(series->values.size(), span.capacity());
      QCOMPARE(series->stepMs, span.stepSeconds * 1000);
      QVERIFY(!std::isnan(series->values.back()));
    }
    QCOMPARE(rings.series("engine/read/iops", 300, nowMs)->values.front(), 100.0);
  }

  void unknownIdAndSpan() {
    const HistoryRings rings = filled();
    QVERIFY(std::isnan(rings.series("engine/nothing", 300, nowMs)->values.back()));
    QVERIFY(rings.series("engine/read/iops", 301, nowMs).error().code == ErrorCode::InvalidArgument);
  }

  void blobKeepsEverything() {
    const HistoryRings rings = filled();
    const auto blob = rings.toBlob();
    HistoryRings copy;
    QVERIFY(copy.fromBlob(blob).has_value());
    QVERIFY(copy.toBlob() == blob);
    QCOMPARE(copy.series("vstorage/a/read/iops", 300, nowMs)->values, rings.series("vstorage/a/read/iops", 300, nowMs)->values);
  }

  void damagedBlobsChangeNothing() {
    const auto blob = filled().toBlob();
    HistoryRings rings;
    rings.add("engine/x", nowMs, 1);
    const auto before = rings.toBlob();
    for (size_t size = 0; size < blob.size(); size += 997) QVERIFY(!rings.fromBlob(Bytes(blob).first(size)).has_value());
    for (size_t at = 0; at < blob.size(); at += 331) {
      auto damaged = blob;
      damaged[at] ^= std::byte{4};
      QVERIFY(!rings.fromBlob(damaged).has_value());
    }
    auto longer = blob;
    longer.push_back(std::byte{0});
    QVERIFY(rings.fromBlob(longer).error().code == ErrorCode::Corrupt);
    QVERIFY(rings.toBlob() == before);
  }

  void newerVersionIsNamed() {
    auto blob = filled().toBlob();
    blob[16] = std::byte{2};
    HistoryRings rings;
    QVERIFY(rings.fromBlob(blob).error().code == ErrorCode::VersionTooNew);
  }

  void stalestSeriesMakesRoom() {
    HistoryRings rings;
    rings.add("old", 1'000'000, 1);
    for (size_t i = 0; i < historySeriesMax; ++i) rings.add("id" + std::to_string(i), nowMs, 2);
    QVERIFY(std::isnan(rings.series("old", 300, 1'000'000)->values.back()));
    QCOMPARE(rings.series("id0", 300, nowMs)->values.back(), 2.0);
  }

  void overlongIdsAreNotKept() {
    HistoryRings rings;
    rings.add(std::string(historyIdBytesMax + 1, 'a'), nowMs, 1);
    QCOMPARE(rings.toBlob().size(), sizeof(HistoryHeader));
  }
};

QTEST_GUILESS_MAIN(HistoryRingsTest)
#include "history_rings_test.moc"
