// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/client/store_check.h"

#include <QTemporaryDir>
#include <QtTest>

#include "tests/support/script_engine.h"

using namespace quarry;

namespace {

constexpr std::chrono::seconds patience{20};

struct Program {
  QTemporaryDir folder;
  QString path;
  explicit Program(const QByteArray& body) : path(test::writeScript(folder.filePath(QStringLiteral("engine")), body)) {}
};

}  // namespace

class StoreCheckTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void goodFolder() {
    const Program program(R"(
      [ "$1" = --store ] && [ "$3" = --check ] || exit 2
      printf '{"path":"%s","ok":true,"checks":[{"name":"exists","ok":true,"text":"The folder exists."},' "$2"
      echo '{"name":"holes","ok":true,"warning":true,"text":"Holes are 4 KiB."}],'
      echo '"freeBytes":5000000000000,"diskBytes":9000000000000,"writeBytesPerSecond":400,"existingStore":true}')");
    const auto reply = runStoreCheck(program.path, QStringLiteral("/srv/my vms"), patience);
    QTRY_VERIFY(reply.isFinished());
    const StoreCheck check = reply.result().value();
    QVERIFY(check.ok && check.existingStore);
    QCOMPARE(check.path, QStringLiteral("/srv/my vms"));
    QCOMPARE(check.checks.size(), 2);
    QCOMPARE(check.checks[1].name, QStringLiteral("holes"));
    QVERIFY(check.checks[1].warning && !check.checks[0].warning);
    QCOMPARE(check.freeBytes, quint64{5'000'000'000'000});
  }

  void whatTheMachineHas() {
    const auto known = parseStoreCheck(
        R"({"ok":true,"checks":[],"memory":{"machineBytes":64,"availableBytes":41,"cacheBytesMin":1,"cacheBytesMax":48,"cacheBytes":16}})");
    QVERIFY(known && known->cacheRoom.isKnown());
    QCOMPARE(known->cacheRoom, (CacheRoom{.machineBytes = 64, .availableBytes = 41, .bytesMin = 1, .bytesMax = 48, .bytes = 16}));
    for (const char* none : {R"({"ok":true,"checks":[]})", R"({"ok":true,"checks":[],"memory":7})",
                             R"({"ok":true,"checks":[],"memory":{"cacheBytesMax":-5}})"}) {
      const auto unknown = parseStoreCheck(none);
      QVERIFY(unknown && !unknown->cacheRoom.isKnown());
    }
  }

  void badFolderIsAResultDespiteItsStatus() {
    const Program program(R"(echo '{"path":"/x","ok":false,"checks":[{"name":"writable","ok":false,"text":"no"}]}'; exit 1)");
    const auto reply = runStoreCheck(program.path, QStringLiteral("/x"), patience);
    QTRY_VERIFY(reply.isFinished());
    QVERIFY(!reply.result().value().ok);
    QVERIFY(!reply.result().value().checks[0].ok);
  }

  void wordsInsteadOfADocument() {
    const Program program("echo rubbish; echo 'no such option' >&2; exit 2");
    const auto reply = runStoreCheck(program.path, QStringLiteral("/x"), patience);
    QTRY_VERIFY(reply.isFinished());
    QCOMPARE(reply.result().error(), (Error{ErrorCode::Protocol, "no such option"}));
  }

  void missingProgram() {
    const auto reply = runStoreCheck(QStringLiteral("/nonexistent/quarryd"), QStringLiteral("/x"), patience);
    QTRY_VERIFY(reply.isFinished());
    QCOMPARE(reply.result().error().code, ErrorCode::NotFound);
  }

  void tooSlow() {
    const Program program("sleep 30");
    const auto reply = runStoreCheck(program.path, QStringLiteral("/x"), std::chrono::milliseconds(50));
    QTRY_VERIFY(reply.isFinished());
    QCOMPARE(reply.result().error().code, ErrorCode::Timeout);
  }

  void documentsThatAreNone() {
    for (const char* text : {"", "[]", "{}", "{\"ok\":1,\"checks\":[]}", "{\"ok\":true}", "{\"ok\":true,\"checks\":3}", "{\"ok\":true,\"checks\":["})
      QVERIFY2(!parseStoreCheck(QByteArray(text)), text);
    QVERIFY(parseStoreCheck("{\"ok\":true,\"checks\":[1,null],\"freeBytes\":-4}").value().freeBytes == 0);
  }
};

QTEST_GUILESS_MAIN(StoreCheckTest)
#include "store_check_test.moc"
