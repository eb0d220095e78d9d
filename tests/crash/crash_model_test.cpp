// SPDX-License-Identifier: GPL-3.0-or-later
// The kill check is only as good as its memory: what was acknowledged, what is unsure, and that both survive in the log.
#include "tests/crash/crash_model.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace quarry;
using namespace quarry::test;

namespace {
using Kind = Operation::Kind;

void happen(CrashModel& model, const Operation& operation) {
  QVERIFY(model.begin(operation));
  QVERIFY(model.done());
}
}  // namespace

class CrashModelTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
  }

  void remembersOverARestart() {
    {
      CrashModel model = open();
      happen(model, {.kind = Kind::Create, .name = "a"});
      happen(model, {.kind = Kind::WriteStable, .name = "a", .firstUnit = 2, .unitCount = 3, .tag = 70});
      happen(model, {.kind = Kind::Rename, .name = "a", .toName = "b"});
      QVERIFY(model.begin({.kind = Kind::Remove, .name = "b"}));
    }
    CrashModel model = open();
    QCOMPARE(model.files().size(), size_t{1});
    const FileModel& file = model.files().at("b");
    QCOMPARE(file.sizeUnits, 5u);
    QCOMPARE(file.units[1].acknowledged, Tag{0});
    QCOMPARE(file.units[4].acknowledged, Tag{72});
    QVERIFY(model.pending() && model.pending()->kind == Kind::Remove);
    model.settlePending(CrashModel::Outcome::DidNotHappen);
    QVERIFY(model.files().contains("b"));
  }

  void unstableWritesAreUnsureUntilCommitted() {
    CrashModel model = open();
    happen(model, {.kind = Kind::Create, .name = "a"});
    happen(model, {.kind = Kind::WriteStable, .name = "a", .firstUnit = 0, .unitCount = 2, .tag = 10});
    happen(model, {.kind = Kind::WriteUnstable, .name = "a", .firstUnit = 1, .unitCount = 2, .tag = 20});
    const FileModel& file = model.files().at("a");
    QVERIFY(file.units[1].mayBe(11) && file.units[1].mayBe(20) && !file.units[1].mayBe(10));
    QVERIFY(file.maySizeBe(2) && file.maySizeBe(3) && !file.maySizeBe(1));
    happen(model, {.kind = Kind::Commit, .name = "a"});
    QVERIFY(!file.units[1].mayBe(11) && file.units[1].mayBe(20));
    QCOMPARE(file.sizeUnits, 3u);
    QVERIFY(!file.maySizeBe(2));
  }

  void aStableWriteSettlesOnlyItsOwnUnits() {
    CrashModel model = open();
    happen(model, {.kind = Kind::Create, .name = "a"});
    happen(model, {.kind = Kind::WriteUnstable, .name = "a", .firstUnit = 0, .unitCount = 8, .tag = 20});
    happen(model, {.kind = Kind::WriteStable, .name = "a", .firstUnit = 2, .unitCount = 1, .tag = 40});
    const FileModel& file = model.files().at("a");
    QVERIFY(!file.units[2].mayBe(22) && file.units[2].mayBe(40));
    QVERIFY(file.units[3].mayBe(0) && file.units[3].mayBe(23));
    QVERIFY(file.maySizeBe(3) && file.maySizeBe(8) && !file.maySizeBe(0));
  }

  void aWriteUnderWayMayHaveHappened() {
    CrashModel model = open();
    happen(model, {.kind = Kind::Create, .name = "a"});
    QVERIFY(model.begin({.kind = Kind::WriteStable, .name = "a", .firstUnit = 0, .unitCount = 1, .tag = 5}));
    model.makePendingUnsure();
    const FileModel& file = model.files().at("a");
    QVERIFY(file.units[0].mayBe(0) && file.units[0].mayBe(5));
    QVERIFY(file.maySizeBe(0) && file.maySizeBe(1));
  }

  void shorteningForgetsWhatIsBeyond() {
    CrashModel model = open();
    happen(model, {.kind = Kind::Create, .name = "a"});
    happen(model, {.kind = Kind::WriteUnstable, .name = "a", .firstUnit = 0, .unitCount = 8, .tag = 20});
    happen(model, {.kind = Kind::Resize, .name = "a", .unitCount = 4});
    const FileModel& file = model.files().at("a");
    QVERIFY(!file.maySizeBe(8) && file.maySizeBe(4));
    QVERIFY(!file.units[4].mayBe(24));
  }

  void rewritingKeepsTheState() {
    CrashModel model = open();
    happen(model, {.kind = Kind::Create, .name = "a"});
    happen(model, {.kind = Kind::Create, .name = "empty"});
    happen(model, {.kind = Kind::WriteStable, .name = "a", .firstUnit = 1, .unitCount = 2, .tag = 7});
    happen(model, {.kind = Kind::WriteStable, .name = "a", .firstUnit = 5, .unitCount = 1, .tag = 7});
    QVERIFY(model.rewrite());
    const CrashModel again = open();
    QCOMPARE(again.files().size(), size_t{2});
    const FileModel& file = again.files().at("a");
    QCOMPARE(file.sizeUnits, 6u);
    QCOMPARE(file.units[2].acknowledged, Tag{8});
    QCOMPARE(file.units[3].acknowledged, Tag{0});
    QCOMPARE(file.units[5].acknowledged, Tag{7});
  }

  void refusesADamagedLog() {
    QFile log(m_folder->filePath(QStringLiteral("log")));
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.write("begin write-stable a - 4000000000 4000000000 1\n");
    log.close();
    const auto model = CrashModel::open(log.fileName().toStdString());
    QVERIFY(!model);
    QCOMPARE(model.error().code, ErrorCode::Corrupt);
  }

  void contentDependsOnTheTagAlone() {
    AlignedBuffer first(unitBytes), second(unitBytes);
    fillUnit(9, first.bytes());
    fillUnit(9, second.bytes());
    QCOMPARE(asText(first.bytes()), asText(second.bytes()));
    fillUnit(10, second.bytes());
    QVERIFY(asText(first.bytes()) != asText(second.bytes()));
    fillUnit(0, second.bytes());
    QVERIFY(isZero(second.bytes()));
  }

 private:
  CrashModel open() {
    auto model = CrashModel::open(m_folder->filePath(QStringLiteral("log")).toStdString());
    if (!model) qFatal("%s", model.error().message.c_str());
    return std::move(*model);
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(CrashModelTest)
#include "crash_model_test.moc"
