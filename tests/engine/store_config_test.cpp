// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store_config.h"

#include <QTest>
#include <optional>

#include "tests/support/manual_clock.h"
#include "tests/support/sim_file_system.h"

using namespace quarry;

namespace {
class OneFile : public test::SimFileSystem {
 public:
  Result<std::string> readFile(const std::string& path) override {
    if (!text) return fail(ErrorCode::Lost, path);
    return *text;
  }
  Result<void> replaceFile(const std::string&, const std::string& contents) override {
    text = contents;
    return {};
  }
  std::optional<std::string> text;
};
}  // namespace

class StoreConfigTest : public QObject {
  Q_OBJECT

  ManualClock m_clock;

 private Q_SLOTS:
  void whatIsMadeIsRead() {
    OneFile files;
    QVERIFY(readStoreConfig(files, "/store").error().code == ErrorCode::NotFound);
    const auto made = createStoreConfig(files, "/store", m_clock);
    const auto read = readStoreConfig(files, "/store");
    QVERIFY(made && read && read->id == made->id && read->key == made->key && read->created == made->created);
    const auto other = createStoreConfig(files, "/store", m_clock);
    QVERIFY(other->id != made->id && other->key != made->key);
  }

  void anyDamageIsTold() {
    OneFile files;
    QVERIFY(createStoreConfig(files, "/store", m_clock));
    const std::string good = *files.text;
    for (const size_t size : {size_t{0}, good.size() / 2, good.find("key") - 2}) {
      files.text = good.substr(0, size);
      QVERIFY(readStoreConfig(files, "/store").error().code == ErrorCode::Corrupt);
    }
    for (const char* text : {"[]", "{}", "{\"format\": \"1\"}", "{\"format\": 1, \"id\": \"00\", \"key\": \"00\"}", "{\"format\": 1, \"id\": 7}"}) {
      files.text = text;
      QVERIFY(readStoreConfig(files, "/store").error().code == ErrorCode::Corrupt);
    }
    files.text = good;
    files.text->replace(files.text->find("\"id\": \"") + 7, 1, "g");
    QVERIFY(readStoreConfig(files, "/store").error().code == ErrorCode::Corrupt);
  }

  void newerFormatsAreLeftAlone() {
    OneFile files;
    files.text = "{\"format\": 2}";
    const auto read = readStoreConfig(files, "/store");
    QVERIFY(read.error().code == ErrorCode::VersionTooNew);
    QVERIFY(read.error().message.find("install a newer Quarry") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(StoreConfigTest)
#include "store_config_test.moc"
