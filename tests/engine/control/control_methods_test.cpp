// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/control/control_methods.h"

#include <QTest>
#include <set>

#include "engine/protocol/codec.h"
#include "tests/support/fake_control_api.h"
#include "tests/support/run_task.h"

using namespace quarry;

class ControlMethodsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void namesAreUniqueAndFound() {
    std::set<std::string_view> names;
    for (const ControlMethod& method : controlMethods()) {
      QVERIFY(names.insert(method.name).second);
      QCOMPARE(findControlMethod(method.name), &method);
    }
    QCOMPARE(names.size(), size_t{22});
    QVERIFY(!findControlMethod("vstorage"));
    QVERIFY(!findControlMethod(""));
  }

  void resultsAreTheProtocolsStructs() {
    FakeControlApi api;
    const ControlAnswer created = call(api, "vstorage.create", R"({"name":"main","clients":["10.0.0.0/8"]})");
    QVERIFY(!created.error);
    QCOMPARE(protocol::fromJson<protocol::VstorageInfo>(created.result)->clients.at(0), std::string("10.0.0.0/8"));
    QCOMPARE(call(api, "vstorage.remove", R"({"name":"main"})").result, std::string("null"));
    QCOMPARE(call(api, "vstorage.list", "null").result, std::string("[]"));
  }

  void wrongParamsNameTheMember() {
    FakeControlApi api;
    const ControlAnswer answer = call(api, "job.show", R"({"id":"7"})");
    QVERIFY(answer.error.has_value());
    QCOMPARE(answer.rpcCode, protocol::rpcInvalidParams);
    QVERIFY(answer.error->message.find("'id'") != std::string::npos);
  }

  void errorsOfTheEngineKeepTheirCode() {
    FakeControlApi api;
    api.failNext({ErrorCode::NoSpace, "the store is full"});
    const ControlAnswer answer = call(api, "status.show", "null");
    QVERIFY(answer.error == (Error{ErrorCode::NoSpace, "the store is full"}));
    QCOMPARE(answer.rpcCode, protocol::rpcEngineError);
  }

 private:
  static ControlAnswer call(ControlApi& api, std::string_view name, std::string params) {
    return test::runTask(findControlMethod(name)->call(api, std::move(params)));
  }
};

QTEST_GUILESS_MAIN(ControlMethodsTest)
#include "control_methods_test.moc"
