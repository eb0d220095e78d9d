// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <random>

#include "engine/blockstore/frame_codec.h"

using namespace quarry;
using namespace quarry::blockstore;

namespace {
std::vector<std::byte> made(size_t size, size_t randomBytes) {
  std::mt19937 random(static_cast<unsigned>(size + randomBytes));
  std::vector<std::byte> bytes(size, std::byte{42});
  for (size_t i = 0; i < std::min(size, randomBytes); ++i) bytes[i] = static_cast<std::byte>(random());
  return bytes;
}
}  // namespace

class FrameCodecTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void roundTrip() {
    FrameEncoder encoder;
    FrameDecoder decoder;
    for (const int level : {1, 3, 19, 1})
      for (const size_t size : {size_t{1}, size_t{17}, size_t{4095}, size_t{4096}, size_t{8192}, size_t{12288}, size_t{16384}})
        for (const size_t randomBytes : {size_t{0}, size / 2, size - size / 16 - 1, size}) {
          const auto blocks = made(size, randomBytes);
          std::vector<std::byte> stored(size), back(size);
          const EncodedFrame encoded = encoder.encode(blocks, level, stored);
          QVERIFY(encoded.storedBytes >= 1 && encoded.storedBytes <= size);
          QVERIFY(decoder.decode(Bytes(stored).first(encoded.storedBytes), encoded.form, back).has_value());
          QCOMPARE(back, blocks);
        }
  }

  void rawWhenCompressionDoesNotPay() {
    std::vector<std::byte> stored(16384);
    QVERIFY(FrameEncoder().encode(made(16384, 16384), 1, stored).form == FrameForm::Raw);
    QVERIFY(FrameEncoder().encode(made(16384, 16384 - 512), 1, stored).form == FrameForm::Raw);  // saves less than 1/16
    const EncodedFrame half = FrameEncoder().encode(made(16384, 8192), 1, stored);
    QVERIFY(half.form == FrameForm::Zstd && half.storedBytes < 9000);
  }

  void wrongLengthsAreCorrupt() {
    const auto blocks = made(16384, 4096);
    std::vector<std::byte> stored(16384), back(16384), small(12288);
    const EncodedFrame encoded = FrameEncoder().encode(blocks, 1, stored);
    const Bytes good = Bytes(stored).first(encoded.storedBytes);
    QVERIFY(FrameDecoder().decode(good, FrameForm::Zstd, small).error().code == ErrorCode::Corrupt);
    QVERIFY(FrameDecoder().decode(good.first(good.size() - 1), FrameForm::Zstd, back).error().code == ErrorCode::Corrupt);
    QVERIFY(FrameDecoder().decode(good, FrameForm::Raw, back).error().code == ErrorCode::Corrupt);
    QVERIFY(FrameDecoder().decode({}, FrameForm::Zstd, back).error().code == ErrorCode::Corrupt);
  }
};

QTEST_GUILESS_MAIN(FrameCodecTest)
#include "frame_codec_test.moc"
