// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "engine/protocol/codec.h"

using namespace quarry;
using namespace quarry::protocol;

class RpcLineTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void requestRoundTrip() {
    const std::string line = encodeRequest(7, "vstorage.show", R"({"name":"a"})");
    QCOMPARE(line, std::string(R"({"jsonrpc":"2.0","id":7,"method":"vstorage.show","params":{"name":"a"}})"
                               "\n"));
    const auto message = decodeLine(line);
    QVERIFY(message.has_value());
    QCOMPARE(message->id, std::optional<int64_t>(7));
    QCOMPARE(message->method, std::string("vstorage.show"));
    QCOMPARE(message->params, std::string(R"({"name":"a"})"));
  }

  void absentParamsAreNull() {
    const auto message = decodeLine(encodeRequest(1, "status.show", "null"));
    QVERIFY(message.has_value());
    QCOMPARE(message->params, std::string("null"));
  }

  void notificationHasNoId() {
    const auto message = decodeLine(encodeNotification("hello", "{}"));
    QVERIFY(message.has_value() && !message->id.has_value());
  }

  void resultRoundTrip() {
    const auto message = decodeLine(encodeResult(-3, "[1,2]"));
    QVERIFY(message.has_value() && message->method.empty() && !message->error);
    QCOMPARE(message->params, std::string("[1,2]"));
    QCOMPARE(message->id, std::optional<int64_t>(-3));
  }

  void errorRoundTrip() {
    const Error error{ErrorCode::NoSpace, "the store is full: \"a\"\nb"};
    const std::string line = encodeError(9, error);
    QCOMPARE(std::count(line.begin(), line.end(), '\n'), 1);
    const auto message = decodeLine(line);
    QVERIFY(message.has_value() && message->error.has_value());
    QVERIFY(*message->error == error);
  }

  void numbersOfJsonRpcBecomeCodes() {
    const auto message = decodeLine(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no such method"}})");
    QVERIFY(message.has_value() && !message->id && message->error.has_value());
    QVERIFY(message->error->code == ErrorCode::NotSupported);
  }

  void refused_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("text") << QByteArray("hello") << QByteArray("not JSON");
    QTest::newRow("empty") << QByteArray("") << QByteArray("not JSON");
    QTest::newRow("not utf-8") << QByteArray("\"\xff\"") << QByteArray("not JSON");
    QTest::newRow("batch") << QByteArray("[]") << QByteArray("not a JSON object");
    QTest::newRow("version") << QByteArray(R"({"jsonrpc":"1.0","id":1,"method":"a"})") << QByteArray("jsonrpc");
    QTest::newRow("id text") << QByteArray(R"({"jsonrpc":"2.0","id":"1","method":"a"})") << QByteArray("'id'");
    QTest::newRow("id too large") << QByteArray(R"({"jsonrpc":"2.0","id":18446744073709551615,"method":"a"})") << QByteArray("'id'");
    QTest::newRow("id null") << QByteArray(R"({"jsonrpc":"2.0","id":null,"method":"a"})") << QByteArray("'id'");
    QTest::newRow("method") << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":5})") << QByteArray("'method'");
    QTest::newRow("params list") << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":"a","params":[1]})") << QByteArray("'params'");
    QTest::newRow("neither") << QByteArray(R"({"jsonrpc":"2.0","id":1})") << QByteArray("one of");
    QTest::newRow("both") << QByteArray(R"({"jsonrpc":"2.0","id":1,"result":1,"error":{}})") << QByteArray("one of");
    QTest::newRow("result without id") << QByteArray(R"({"jsonrpc":"2.0","result":1})") << QByteArray("'id'");
    QTest::newRow("deep") << QByteArray(100000, '[') << QByteArray("nested");
    QTest::newRow("long") << QByteArray(static_cast<int>(lineBytesMax) + 1, ' ') << QByteArray("longer");
  }

  void refused() {
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, reason);
    const auto message = decodeLine(line.toStdString());
    QVERIFY(!message.has_value());
    QVERIFY(message.error().code == ErrorCode::Protocol);
    QVERIFY2(message.error().message.find(reason.toStdString()) != std::string::npos, message.error().message.c_str());
  }

  void bracketsInTextDoNotNest() {
    std::string line = encodeNotification("a", "{}");
    line.replace(line.find("{}"), 2, "{\"x\":\"\\\"" + std::string(1000, '[') + "\"}");
    QVERIFY(decodeLine(line).has_value());
  }
};

QTEST_GUILESS_MAIN(RpcLineTest)
#include "rpc_line_test.moc"
