// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stats/stat_registry.h"

#include <QTest>
#include <atomic>
#include <thread>

using namespace quarry;

namespace {
StatDeclaration constant(std::string id, double value) {
  return {{std::move(id), protocol::Unit::Count, "A test value.", 0}, [value](double) { return value; }};
}
}  // namespace

class StatRegistryTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void groupsComeAndGo() {
    StatRegistry registry;
    const StatRegistration first = registry.add({constant("b", 2), constant("a", 1)});
    {
      const StatRegistration second = registry.add({constant("c", 3)});
      QCOMPARE(registry.sample(1).size(), size_t{3});
      const auto described = registry.describe();
      QCOMPARE(described.size(), size_t{3});
      QCOMPARE(described[0].id, std::string("a"));
      QCOMPARE(described[2].id, std::string("c"));
    }
    const auto values = registry.sample(1);
    QVERIFY(values.size() == 2 && values.at("a") == 1 && values.at("b") == 2);
  }

  void registrationsMove() {
    StatRegistry registry;
    StatRegistration kept;
    {
      StatRegistration made = registry.add({constant("a", 1)});
      kept = std::move(made);
    }
    QCOMPARE(registry.sample(1).size(), size_t{1});
    kept = StatRegistration();
    QCOMPARE(registry.sample(1).size(), size_t{0});
  }

  void youngerOwnerOfAnIdIsShown() {
    StatRegistry registry;
    const StatRegistration old = registry.add({constant("a", 1)});
    {
      const StatRegistration young = registry.add({constant("a", 2)});
      QCOMPARE(registry.sample(1).at("a"), 2.0);
      QCOMPARE(registry.describe().size(), size_t{1});
    }
    QCOMPARE(registry.sample(1).at("a"), 1.0);
  }

  void ownersLeaveWhileSampled() {
    StatRegistry registry;
    std::atomic<bool> done = false;
    std::jthread sampler([&] {
      while (!done) registry.sample(1);
    });
    for (int i = 0; i < 2000; ++i) {
      const auto value = std::make_unique<std::atomic<int>>(i);
      const StatRegistration registration =
          registry.add({{{"a", protocol::Unit::Count, "", 0}, [v = value.get()](double) { return double(v->load()); }}});
    }
    done = true;
    QVERIFY(registry.describe().empty());
  }
};

QTEST_GUILESS_MAIN(StatRegistryTest)
#include "stat_registry_test.moc"
