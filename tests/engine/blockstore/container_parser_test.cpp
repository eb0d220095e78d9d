// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <random>

#include "engine/blockstore/container_parser.h"
#include "engine/blockstore/container_writer.h"
#include "tests/support/made_blocks.h"
#include "tests/support/run_task.h"
#include "tests/support/sim_file_system.h"

using namespace quarry;
using namespace quarry::blockstore;

namespace {

constexpr ContainerNumber number = 7;
constexpr uint64_t blockCount = 22;  // the last frame holds two

std::vector<uint64_t> seeds() {
  std::vector<uint64_t> all;
  for (uint64_t seed = 1; seed <= blockCount; ++seed) all.push_back(seed);
  return all;
}

std::vector<std::byte> madeContainer() {
  test::SimFileSystem fileSystem;
  asio::thread_pool workers(1);
  ContainerWriter writer(number);
  Fingerprinter fingerprinter(test::madeKey());
  const auto blocks = test::madeBlocks(seeds());
  for (uint64_t i = 0; i < blockCount; ++i) {
    const Bytes block = Bytes(blocks).subspan(i * blockBytes, blockBytes);
    writer.append(fingerprinter(block), block, 1);
  }
  const auto row = test::runTask(writer.seal(fileSystem, "c", workers));
  if (!row || row->blockCount != blockCount || row->frameCount != 6 || row->rawBytes != blockCount * blockBytes) return {};
  return *fileSystem.bytes("c/7.qc");
}

// Everything in the file that can be had, or the first error.
Result<std::vector<std::byte>> readAll(Bytes file) {
  const auto directory = parseContainerHead(number, file.first(std::min<size_t>(file.size(), containerHeadBytesMax)), file.size());
  if (!directory) return fail(directory.error());
  std::vector<std::byte> blocks(directory->blockCount * blockBytes);
  for (uint32_t frame = 0; frame < directory->frames.size(); ++frame) {
    const FrameEntry& entry = directory->frames[frame];
    const MutableBytes into = MutableBytes(blocks).subspan(frame * frameBytesMax, entry.blockCount * blockBytes);
    if (auto decoded = decodeFrame(*directory, frame, file.subspan(entry.offset, entry.storedBytes), into); !decoded) return fail(decoded.error());
  }
  const auto fingerprints = parseFingerprints(*directory, file.subspan(directory->fingerprintOffset, directory->blockCount * 16));
  if (!fingerprints) return fail(fingerprints.error());
  return blocks;
}

}  // namespace

class ContainerParserTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void roundTrip() {
    const auto file = madeContainer();
    QVERIFY(!file.empty() && file.size() % blockBytes == 0);
    const auto blocks = readAll(file);
    QVERIFY2(blocks.has_value(), blocks ? "" : blocks.error().message.c_str());
    QCOMPARE(*blocks, test::madeBlocks(seeds()));
  }

  void everyTruncationIsCorrupt() {
    const auto file = madeContainer();
    for (size_t size = 0; size < file.size(); size += size < 400 ? 1 : 509) {
      const auto read = readAll(Bytes(file).first(size));
      QVERIFY2(!read && read.error().code == ErrorCode::Corrupt, qPrintable(QString::number(size)));
      QVERIFY(read.error().message.find("container 7") != std::string::npos);
    }
  }

  // Padding and the gap behind the directory carry no information; everything else must be noticed.
  void everyFlippedBitIsCorruptOrHarmless() {
    auto file = madeContainer();
    const auto original = test::madeBlocks(seeds());
    std::mt19937_64 random(1);
    int noticed = 0, harmless = 0;
    const auto flip = [&](size_t at, int bit) {
      file[at] ^= static_cast<std::byte>(1 << bit);
      const auto read = readAll(file);
      file[at] ^= static_cast<std::byte>(1 << bit);
      if (!read) {
        ++noticed;
        return read.error().code == ErrorCode::Corrupt && read.error().message.find("container 7") != std::string::npos;
      }
      ++harmless;
      return *read == original;
    };
    for (size_t at = 0; at < 64 + 6 * 16; ++at)
      for (int bit = 0; bit < 8; ++bit) QVERIFY2(flip(at, bit), qPrintable(QString::number(at)));
    QCOMPARE(harmless, 0);
    for (int i = 0; i < 3000; ++i) {
      const size_t at = random() % file.size();
      QVERIFY2(flip(at, static_cast<int>(random() % 8)), qPrintable(QString::number(at)));
    }
    QVERIFY(noticed > 2500);
  }

  void damageHarmsItsFrameOnly() {
    auto file = madeContainer();
    const auto directory = parseContainerHead(number, file, file.size());
    QVERIFY(directory.has_value());
    file[directory->frames[2].offset + 5] ^= std::byte{0x10};
    std::vector<std::byte> into(frameBytesMax);
    for (uint32_t frame = 0; frame < 5; ++frame) {
      const FrameEntry& entry = directory->frames[frame];
      const auto decoded = decodeFrame(*directory, frame, Bytes(file).subspan(entry.offset, entry.storedBytes), into);
      QCOMPARE(decoded.has_value(), frame != 2);
      if (!decoded) QCOMPARE(decoded.error().message, std::string("container 7, frame 2: the checksum does not match"));
    }
  }

  void anotherContainersFileIsCorrupt() {
    const auto file = madeContainer();
    const auto directory = parseContainerHead(8, file, file.size());
    QVERIFY(!directory && directory.error().message.find("holds container 7") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(ContainerParserTest)
#include "container_parser_test.moc"
