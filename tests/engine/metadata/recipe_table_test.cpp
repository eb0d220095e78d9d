// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/recipe_table.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <random>

#include "engine/metadata/schema.h"
#include "engine/metadata/transaction_queue.h"
#include "tests/support/run_task.h"

using namespace quarry;
using namespace quarry::metadata;
using quarry::test::runTask;

namespace {

Recipe randomRecipe(std::mt19937_64& random) {
  Recipe recipe;
  for (uint32_t block = static_cast<uint32_t>(random() % 50); block < segmentBlocks;) {
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(1 + random() % 200, segmentBlocks - block));
    recipe.push_back({block, count, 1 + random() % (uint64_t{1} << (1 + random() % 60))});
    block += count + static_cast<uint32_t>(random() % 40);
  }
  return recipe;
}

std::array<std::byte, 16> fingerprint(uint8_t first, uint8_t last) {
  std::array<std::byte, 16> value{};
  value[0] = std::byte{first};
  value[7] = std::byte{0xff};  // the key's highest byte: negative as SQLite sees it
  value[15] = std::byte{last};
  return value;
}

}  // namespace

class RecipeTableTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    open();
  }
  void cleanup() { close(); }

  void codecRoundTripAndDamage() {
    std::mt19937_64 random(7);
    for (int i = 0; i < 300; ++i) {
      const Recipe recipe = i == 0 ? Recipe{} : randomRecipe(random);
      std::vector<std::byte> bytes = encodeRecipe(recipe);
      QVERIFY(*decodeRecipe(bytes) == recipe);
      bytes[random() % bytes.size()] ^= std::byte{0x10};
      QVERIFY(!decodeRecipe(bytes));
    }
    QCOMPARE(encodeRecipe({{0, 1024, 4096}}).size(), size_t{1 + 1 + 2 + 2 + 4});
    QCOMPARE(decodeRecipe({}).error().code, ErrorCode::Corrupt);
  }

  void blocksAreFoundInRecipes() {
    const Recipe recipe{{4, 2, 100}, {10, 1, 500}};
    QVERIFY(!physicalBlock(recipe, 3));
    QCOMPARE(*physicalBlock(recipe, 5), 101u);
    QVERIFY(!physicalBlock(recipe, 6));
    QCOMPARE(*physicalBlock(recipe, 10), 500u);
    QVERIFY(!physicalBlock(recipe, 1023));
  }

  void commitLoadAndReopen() {
    BlockTransaction transaction;
    transaction.containers = {{1, 10, 40, 5000, 163840}};
    transaction.hooks = {{fingerprint(1, 1), 4097}};
    transaction.recipes.push_back({7, 0, {{0, 16, 4097}}, {}});
    transaction.recipes.push_back({7, 3, {{5, 8, 4120}}, [] { return true; }});
    transaction.recipes.push_back({8, 0, {{0, 4, 4097}}, [] { return false; }});
    QVERIFY(m_table->load(7, 0) && !*m_table->load(7, 0));
    auto written = runTask(m_table->commit(transaction));
    QVERIFY(written);
    QCOMPARE(*written, (std::vector<bool>{true, true, false}));
    for (int round = 0; round < 2; ++round) {
      QCOMPARE((**m_table->load(7, 0)), (Recipe{{0, 16, 4097}}));
      QVERIFY(!*m_table->load(7, 1));
      QVERIFY(!*m_table->load(8, 0));
      QCOMPARE(m_table->stats(7).referencedBlocks, 24u);
      QCOMPARE(m_table->stats(7).segmentCount, 2u);
      QCOMPARE(m_table->files(), std::vector<FileId>{7});
      QCOMPARE(m_table->loadAll(7)->size(), 2u);
      QCOMPARE(m_table->nextContainer(), 2u);
      QCOMPARE(m_table->containers().front().rawBytes, 163840u);
      close();
      open();
    }
  }

  void changesAreSeenAtOnce() {
    commitRecipe(7, 0, {{0, 16, 4097}});
    QCOMPARE((**m_table->load(7, 0)).front().firstPhysical, 4097u);
    commitRecipe(7, 0, {{0, 8, 9000}});
    QCOMPARE((**m_table->load(7, 0)).front().firstPhysical, 9000u);
    QCOMPARE(m_table->stats(7).referencedBlocks, 8u);
    commitRecipe(7, 0, {});
    QVERIFY(!*m_table->load(7, 0));
    QVERIFY(m_table->files().empty());
  }

  // A truncation that looks while a job's transaction is still being written must not take the file for one without recipes.
  void fileWhoseRecipeIsBeingWrittenMayHaveOne() {
    QVERIFY(!m_table->mayHaveRecipes(7));
    bool mayHave = false;
    BlockTransaction transaction;
    transaction.recipes.push_back({7, 0, {{0, 16, 4097}}, [&] {
                                     mayHave = m_table->stats(7).segmentCount == 0 && m_table->mayHaveRecipes(7);
                                     return false;
                                   }});
    QVERIFY(runTask(m_table->commit(std::move(transaction))));
    QVERIFY(mayHave);
    QVERIFY(!m_table->mayHaveRecipes(7));
    commitRecipe(7, 0, {{0, 16, 4097}});
    QVERIFY(m_table->mayHaveRecipes(7));
  }

  // What is in RAM is answered at once; a row of the disk is fetched once.
  void loopThreadsReadFromRamOrFetch() {
    commitRecipe(7, 0, {{0, 16, 4097}});
    QVERIFY(m_table->cached(8, 0) && !*m_table->cached(8, 0));  // the file has none: no disk is asked
    QVERIFY(!m_table->cached(7, 0));
    QCOMPARE((**runTask(m_table->fetch(7, 0))).front().firstPhysical, 4097u);
    QCOMPARE((**m_table->cached(7, 0)).front().firstPhysical, 4097u);
    QVERIFY(!*runTask(m_table->fetch(7, 1)));
    QVERIFY(m_table->cached(7, 1) && !*m_table->cached(7, 1));
    commitRecipe(7, 0, {{0, 8, 9000}});
    QVERIFY(!m_table->cached(7, 0));
    QCOMPARE((**runTask(m_table->fetch(7, 0))).front().firstPhysical, 9000u);
  }

  // As a store has it that an earlier version made: without the index.
  void theFirstFormatIsUpgraded() {
    commitRecipe(7, 0, {{0, 16, 4097}});
    QVERIFY(m_queue->submitAndWait([](Database& database) { return database.runScript("DROP INDEX recipes_blocks; PRAGMA user_version=1"); }));
    close();
    open();
    QCOMPARE(m_table->stats(7).referencedBlocks, 16u);
    QCOMPARE((**m_table->load(7, 0)), (Recipe{{0, 16, 4097}}));
    QVERIFY(m_queue->submitAndWait([](Database& database) -> Result<void> {
      auto version = database.prepare("PRAGMA user_version");
      if (!version || !*version->step() || version->integer(0) != 2) return fail(ErrorCode::Internal, "not upgraded");
      return {};
    }));
  }

  // A start reads the index, not the recipes.
  void aStartReadsNoRecipes() {
    QVERIFY(m_queue->submitAndWait([](Database& database) -> Result<void> {
      auto plan = database.prepare("EXPLAIN QUERY PLAN SELECT fileid, count(*), sum(block_count) FROM recipes INDEXED BY recipes_blocks GROUP BY fileid");
      if (!plan || !*plan->step()) return fail(ErrorCode::Internal, "no plan");
      const bool isCovering = plan->text(3).find("COVERING INDEX recipes_blocks") != std::string::npos;
      return isCovering ? Result<void>() : fail(ErrorCode::Internal, plan->text(3));
    }));
  }

  void truncationCutsAndRemoves() {
    for (uint32_t segment = 0; segment < 4; ++segment) commitRecipe(7, segment, {{0, 100, 5000}, {200, 100, 6000}});
    QVERIFY(*m_table->load(7, 3));
    QVERIFY(runTask(m_table->truncate(7, segmentBlocks + 250)));
    QCOMPARE((**m_table->load(7, 1)), (Recipe{{0, 100, 5000}, {200, 50, 6000}}));
    QVERIFY(!*m_table->load(7, 2) && !*m_table->load(7, 3));
    QCOMPARE(m_table->stats(7).referencedBlocks, 350u);
    QVERIFY(runTask(m_table->truncate(7, segmentBlocks + 150)));
    QCOMPARE((**m_table->load(7, 1)), (Recipe{{0, 100, 5000}}));
    QVERIFY(runTask(m_table->truncate(7, segmentBlocks)));
    QVERIFY(!*m_table->load(7, 1));
    commitRecipe(9, 5, {{0, 1, 77}});
    QVERIFY(runTask(m_table->dropFiles({7, 9, 1000})));
    QVERIFY(m_table->files().empty());
    QVERIFY(!*m_table->load(7, 0));
  }

  void collidingHooksKeepTheFirst() {
    BlockTransaction first, second;
    first.hooks = {{fingerprint(5, 1), 111}};
    second.hooks = {{fingerprint(5, 2), 222}, {fingerprint(6, 1), 333}};
    QVERIFY(runTask(m_table->commit(first)));
    QVERIFY(runTask(m_table->commit(second)));
    QCOMPARE(**m_table->findHook(fingerprint(5, 1)), 111u);
    QCOMPARE(**m_table->findHook(fingerprint(5, 2)), 111u);
    QCOMPARE(**m_table->findHook(fingerprint(6, 1)), 333u);
    QVERIFY(!*m_table->findHook(fingerprint(9, 9)));
  }

  void damagedRowsNameTheirPlace() {
    QVERIFY(m_queue->submitAndWait([](Database& database) { return database.run("INSERT INTO recipes VALUES (12, 34, 5, x'0102030405060708')"); }));
    close();
    open();
    auto damaged = m_table->load(12, 34);
    QCOMPARE(damaged.error().code, ErrorCode::Corrupt);
    QVERIFY(damaged.error().message.find("12") != std::string::npos && damaged.error().message.find("34") != std::string::npos);
  }

  void failedTransactionLeavesNothing() {
    commitRecipe(7, 0, {{0, 16, 4097}});
    m_commitFails = true;
    BlockTransaction transaction;
    transaction.containers = {{5, 1, 4, 100, 16384}};
    transaction.recipes.push_back({7, 0, {}, {}});
    QCOMPARE(runTask(m_table->commit(transaction)).error().code, ErrorCode::NoSpace);
    m_commitFails = false;
    QVERIFY(*m_table->load(7, 0));
    QCOMPARE(m_table->stats(7).referencedBlocks, 16u);
    QVERIFY(m_table->containers().empty());
  }

 private:
  void open() {
    const std::string path = m_folder->path().toStdString() + "/blocks.db";
    auto database = openBlocksDatabase(path, DatabaseMode::Create);
    QVERIFY(database);
    (*database)->setCommitFault([this] { return m_commitFails.load(); });
    m_queue = std::make_unique<TransactionQueue>(std::move(*database), "blocks");
    auto table = RecipeTable::open(path, *m_queue);
    QVERIFY2(table, table ? "" : table.error().message.c_str());
    m_table = std::move(*table);
  }
  void close() {
    m_queue.reset();
    m_table.reset();
  }
  void commitRecipe(FileId fileid, uint32_t segment, Recipe recipe) {
    BlockTransaction transaction;
    transaction.recipes.push_back({fileid, segment, std::move(recipe), {}});
    QVERIFY(runTask(m_table->commit(transaction)));
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::atomic<bool> m_commitFails = false;
  std::unique_ptr<TransactionQueue> m_queue;
  std::unique_ptr<RecipeTable> m_table;
};

QTEST_GUILESS_MAIN(RecipeTableTest)
#include "recipe_table_test.moc"
