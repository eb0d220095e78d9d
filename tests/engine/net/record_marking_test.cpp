// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/net/record_marking.h"

#include <QtTest/QtTest>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

using namespace quarry;
using net::RecordAssembler;

namespace {
std::string fragment(const std::string& bytes, bool last) {
  const auto size = static_cast<uint32_t>(bytes.size());
  const char mark[4] = {static_cast<char>((last ? 0x80 : 0) | size >> 24),
                        static_cast<char>(size >> 16), static_cast<char>(size >> 8), static_cast<char>(size)};
  return std::string(mark, 4) + bytes;
}

// Feeds `stream` in steps of at most `step` bytes; the records that came out, or the error.
Result<std::vector<std::string>> assemble(const std::string& stream, size_t step) {
  RecordAssembler assembler;
  std::vector<std::string> records;
  for (size_t at = 0; at < stream.size();) {
    const MutableBytes space = assembler.space();
    const size_t count = std::min({space.size(), step, stream.size() - at});
    std::memcpy(space.data(), stream.data() + at, count);
    at += count;
    if (auto received = assembler.received(count); !received) return fail(received.error());
    while (auto record = assembler.next()) records.emplace_back(asText(record->bytes()));
  }
  return records;
}

std::string pattern(size_t size) {
  std::string bytes(size, 0);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 31 + i / 251);
  return bytes;
}
}  // namespace

class RecordMarkingTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void bytesMayDribble() {
    const std::string large = pattern(100'000);
    const std::string stream = fragment("first", true) + fragment(large, true) + fragment("", true) + fragment("last", true);
    for (size_t step : {size_t{1}, size_t{3}, size_t{4096}, size_t{65536}, stream.size()}) {
      const auto records = assemble(stream, step);
      QVERIFY(records.has_value());
      QCOMPARE(records->size(), size_t{4});
      QCOMPARE((*records)[0], std::string("first"));
      QVERIFY((*records)[1] == large);
      QCOMPARE((*records)[2], std::string());
      QCOMPARE((*records)[3], std::string("last"));
    }
  }

  // As WRITE's data must, to reach the disk without a copy.
  void opaqueAtTheEndLiesOnAPage() {
    for (const size_t headBytes : {size_t{96}, size_t{188}, size_t{404}}) {
      const std::string data = pattern(64 * 1024), size("\0\1\0\0", 4);
      const std::string stream = fragment("before", true) + fragment(std::string(headBytes, 'h') + size + data, true);
      RecordAssembler assembler;
      std::optional<net::Record> record;
      for (size_t at = 0; at < stream.size();) {
        const MutableBytes space = assembler.space();
        const size_t count = std::min(space.size(), stream.size() - at);
        std::memcpy(space.data(), stream.data() + at, count);
        at += count;
        QVERIFY(assembler.received(count).has_value());
        while (auto next = assembler.next()) record = std::move(next);
      }
      const Bytes payload = record->bytes().subspan(headBytes + 4);
      QVERIFY(asText(payload) == data);
      QCOMPARE(reinterpret_cast<uintptr_t>(payload.data()) % blockBytes, uintptr_t{0});
    }
  }

  void fragmentsAreJoined() {
    const std::string large = pattern(200'000);
    const std::string stream = fragment(large.substr(0, 5), false) + fragment("", false) + fragment(large.substr(5, 150'000), false) +
                               fragment(large.substr(150'005), false) + fragment("", true) + fragment("x", true);
    for (size_t step : {size_t{1}, size_t{7}, size_t{10'000}, stream.size()}) {
      const auto records = assemble(stream, step);
      QVERIFY(records.has_value());
      QCOMPARE(records->size(), size_t{2});
      QVERIFY((*records)[0] == large);
      QCOMPARE((*records)[1], std::string("x"));
    }
  }

  void largestRecordFits() {
    const std::string largest = pattern(net::recordBytesMax);
    const auto records = assemble(fragment(largest, true), 1 << 20);
    QVERIFY(records.has_value());
    QVERIFY(records->at(0) == largest);
  }

  void tooLongIsRefusedBeforeItsBytesCome() {
    const std::string mark = fragment(std::string(net::recordBytesMax + 1, 'x'), true).substr(0, 4);
    QCOMPARE(assemble(mark, 4).error().code, ErrorCode::Protocol);
    const std::string two = fragment(std::string(net::recordBytesMax, 'x'), false) + fragment("y", true);
    QCOMPARE(assemble(two, 1 << 16).error().code, ErrorCode::Protocol);
  }

  void manyTinyFragmentsAreRefused() {
    std::string stream;
    for (uint32_t i = 0; i < net::fragmentsMax; ++i) stream += fragment("a", false);
    const auto allowed = assemble(stream.substr(0, stream.size() - 5) + fragment("b", true), 1000);
    QVERIFY(allowed.has_value());
    QCOMPARE(allowed->at(0).size(), size_t{net::fragmentsMax});
    QCOMPARE(assemble(stream + fragment("", true), 1000).error().code, ErrorCode::Protocol);
  }

  void markHasLengthAndLastBit() {
    const auto mark = net::recordMark(0x010203);
    QVERIFY((mark == std::array{std::byte{0x80}, std::byte{1}, std::byte{2}, std::byte{3}}));
  }
};

QTEST_GUILESS_MAIN(RecordMarkingTest)
#include "record_marking_test.moc"
