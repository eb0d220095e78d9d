// SPDX-License-Identifier: GPL-3.0-or-later
// What the simulated disk keeps and loses: without these rules the power cuts would show nothing.
#include <QtTest>

#include "engine/metadata/schema.h"
#include "tests/powercut/power_explorer.h"
#include "tests/support/run_task.h"
#include "tests/support/sim_log_disk.h"

using namespace quarry;
using namespace quarry::test;

namespace {
constexpr uint64_t page = blockBytes;

AlignedBuffer filled(uint64_t bytes, char with) {
  AlignedBuffer buffer(bytes);
  std::memset(buffer.data(), with, bytes);
  return buffer;
}
}  // namespace

class SimMediumTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { setUpPowerCuts(); }
  void init() {
    m_disk = std::make_unique<SimLogDisk>(SimMedium());
    m_file = m_disk->open(m_disk->root() + "/d/f", os::OpenMode::Create, os::CacheMode::Direct).value();
  }

  void namesNeedTheirFolderSynced() {
    QVERIFY(!cut(CutStyle::LoseAll).find("/d/f"));
    QVERIFY(cut(CutStyle::KeepAll).find("/d/f"));
    QVERIFY(m_disk->syncDirectory(m_disk->root() + "/d"));
    QVERIFY(cut(CutStyle::LoseAll).find("/d/f"));
    QVERIFY(m_disk->remove(m_disk->root() + "/d/f"));
    QVERIFY(cut(CutStyle::LoseAll).find("/d/f"));
    QVERIFY(m_disk->syncDirectory(m_disk->root() + "/d"));
    QVERIFY(!cut(CutStyle::LoseAll).find("/d/f"));
  }

  void renamesAreWholeOrNot() {
    QVERIFY(m_disk->syncDirectory(m_disk->root() + "/d"));
    QVERIFY(m_disk->rename(m_disk->root() + "/d/f", m_disk->root() + "/d/g"));
    std::set<std::string> seen;
    for (int i = 0; i < 50; ++i) {
      const SimMedium left = cut(CutStyle::Pages);
      seen.insert(std::string(left.find("/d/f") ? "f" : "") + (left.find("/d/g") ? "g" : ""));
    }
    QCOMPARE(seen, (std::set<std::string>{"f", "g"}));
  }

  void onlyTheDurableRangeStays() {
    QVERIFY(m_disk->syncDirectory(m_disk->root() + "/d"));
    write(0, filled(page, 'a'), os::Durability::None);
    write(page, filled(page, 'b'), os::Durability::Durable);
    QCOMPARE(seenIn(cut(CutStyle::LoseAll)), std::string("0b"));
    QCOMPARE(seenIn(cut(CutStyle::KeepAll)), std::string("ab"));
    QVERIFY(runTask(m_file->sync()));
    QCOMPARE(seenIn(cut(CutStyle::LoseAll)), std::string("ab"));
  }

  // A hole is filled whole or not at all; data is overwritten sector by sector.
  void whatTears() {
    QVERIFY(m_disk->syncDirectory(m_disk->root() + "/d"));
    write(page, filled(page, 'z'), os::Durability::Durable);
    write(0, filled(page, 'a'), os::Durability::None);
    for (int i = 0; i < 50; ++i) QVERIFY(QStringLiteral("0z az").split(QLatin1Char(' ')).contains(QString::fromStdString(seenIn(cut(CutStyle::Sectors)))));
    QVERIFY(runTask(m_file->sync()));
    write(0, filled(page, 'b'), os::Durability::None);
    std::set<std::string> seen;
    for (int i = 0; i < 50; ++i) seen.insert(seenIn(cut(CutStyle::Sectors)));
    QCOMPARE(seen, (std::set<std::string>{"az", "bz", "?z"}));
  }

  void punchAndWriteKeepTheirOrder() {
    QVERIFY(m_disk->syncDirectory(m_disk->root() + "/d"));
    write(0, filled(page, 'a'), os::Durability::Durable);
    QVERIFY(runTask(m_file->punchHole({0, page})));
    write(0, filled(page, 'b'), os::Durability::None);
    std::set<std::string> seen;
    for (int i = 0; i < 50; ++i) seen.insert(seenIn(cut(CutStyle::Sectors)));
    QCOMPARE(seen, (std::set<std::string>{"a", "0", "b"}));
  }

  // Else what was cut off could come back beside what was written after.
  void shorteningIsWholeOrNot() {
    QVERIFY(m_disk->syncDirectory(m_disk->root() + "/d"));
    write(0, filled(3 * page, 'a'), os::Durability::Durable);
    QVERIFY(runTask(m_file->resize(page)));
    QVERIFY(runTask(m_file->resize(2 * page)));
    std::set<std::string> seen;
    for (int i = 0; i < 50; ++i) seen.insert(seenIn(cut(CutStyle::Sectors)));
    QCOMPARE(seen, (std::set<std::string>{"aaa", "a", "a0"}));
  }

  void sqliteKeepsWhatItCommitted() {
    const auto path = [](const SimLogDisk& disk) { return disk.root() + "/history.db"; };
    auto database = metadata::openHistoryDatabase(path(*m_disk), metadata::DatabaseMode::Create).value();
    QVERIFY(database->run("INSERT INTO jobs VALUES (1, 'one')"));
    auto transaction = metadata::Transaction::begin(*database).value();
    QVERIFY(database->run("INSERT INTO jobs VALUES (2, 'two')"));
    for (const CutStyle style : {CutStyle::LoseAll, CutStyle::KeepAll, CutStyle::Pages, CutStyle::Sectors}) {
      SimLogDisk after(cut(style));
      auto again = metadata::openHistoryDatabase(path(after), metadata::DatabaseMode::MustExist).value();
      auto count = again->prepare("SELECT count(*) FROM jobs").value();
      QVERIFY(count.step().value());
      QCOMPARE(count.integer(0), 1);
    }
  }

  void aMissingDatabaseIsLost() {
    const auto opened = metadata::openHistoryDatabase(m_disk->root() + "/none.db", metadata::DatabaseMode::MustExist);
    QCOMPARE(opened.error().code, ErrorCode::Lost);
  }

 private:
  SimMedium cut(CutStyle style) { return m_disk->contents().afterCut(m_random, style); }
  void write(uint64_t offset, const AlignedBuffer& data, os::Durability durability) {
    QVERIFY(runTask(m_file->writeAt(offset, data.bytes(), durability)));
  }
  // One character for each page: what fills it, 0 for zeros, ? for a mixture.
  static std::string seenIn(const SimMedium& medium) {
    const auto node = medium.find("/d/f");
    if (!node) return "none";
    std::string seen;
    std::array<std::byte, page> bytes;
    for (uint64_t at = 0; medium.read(*node, at, bytes) > 0; at += page) {
      const bool isPlain = std::ranges::all_of(bytes, [&](std::byte byte) { return byte == bytes[0]; });
      seen += !isPlain ? '?' : bytes[0] == std::byte{0} ? '0' : static_cast<char>(bytes[0]);
    }
    return seen;
  }

  std::mt19937_64 m_random{1};
  std::unique_ptr<SimLogDisk> m_disk;
  std::unique_ptr<os::File> m_file;
};

QTEST_GUILESS_MAIN(SimMediumTest)
#include "sim_medium_test.moc"
