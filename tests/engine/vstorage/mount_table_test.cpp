// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/mount_table.h"

#include <QTest>
#include <algorithm>
#include <string>

#include "tests/support/manual_clock.h"

using namespace quarry;
using Mounts = std::vector<std::pair<std::string, std::string>>;

class MountTableTest : public QObject {
  Q_OBJECT

  ManualClock m_clock;

 private Q_SLOTS:
  void foldersOfOneVstorageAreMountsOfTheirOwn() {
    MountTable table(m_clock);
    table.noteMount("h1", "/alpha/a");
    table.noteMount("h1", "/alpha/b");
    table.noteMount("h2", "/alphabet");
    QCOMPARE(table.clientCount("alpha"), uint64_t{1});
    table.noteUnmount("h1", "/alpha/a");
    QCOMPARE(table.shown(), (Mounts{{"h1", "/alpha/b"}, {"h2", "/alphabet"}}));
    table.noteUnmount("h1", "");
    QCOMPARE(table.clientCount("alpha"), uint64_t{0});
    table.forget("alphabet");
    QVERIFY(table.shown().empty());
  }

  void useCountsAsAMount() {
    MountTable table(m_clock);
    table.noteUse("h1", "alpha");
    QCOMPARE(table.shown(), (Mounts{{"h1", "/alpha"}}));
    table.noteMount("h2", "/alpha/folder");
    table.noteUse("h2", "alpha");
    QCOMPARE(table.shown(), (Mounts{{"h1", "/alpha"}, {"h2", "/alpha/folder"}}));
    QCOMPARE(table.clientCount("alpha"), uint64_t{2});
  }

  void clientsThatAreNotSeenFadeAway() {
    MountTable table(m_clock);
    table.noteMount("gone", "/alpha");
    table.noteMount("here", "/alpha");
    m_clock.advance(std::chrono::hours(23));
    table.noteUse("here", "alpha");
    QCOMPARE(table.clientCount("alpha"), uint64_t{2});
    m_clock.advance(std::chrono::hours(1));
    QCOMPARE(table.shown(), (Mounts{{"here", "/alpha"}}));
  }

  void theLongestUnseenMakesRoom() {
    MountTable table(m_clock);
    for (size_t i = 0; i < MountTable::entriesMax; ++i) {
      table.noteMount("h" + std::to_string(i), "/alpha");
      m_clock.advance(std::chrono::milliseconds(1));
    }
    table.noteUse("h0", "alpha");
    table.noteMount("new", "/alpha");
    QCOMPARE(table.shown().size(), MountTable::entriesMax);
    const Mounts shown = table.shown();
    const auto has = [&shown](const char* client) { return std::count(shown.begin(), shown.end(), std::pair<std::string, std::string>(client, "/alpha")); };
    QVERIFY(has("new") == 1 && has("h0") == 1 && has("h1") == 0);
  }
};

QTEST_GUILESS_MAIN(MountTableTest)
#include "mount_table_test.moc"
