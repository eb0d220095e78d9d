// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/mount.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <random>

#include "engine/os/file.h"
#include "tests/support/run_task.h"

using namespace quarry;
using namespace quarry::os;
using quarry::test::runTask;

namespace {

constexpr uint64_t modelBlocks = 1024;  // 4 MiB

// What the file must hold: its bytes, and which blocks hold data.
struct Model {
  std::vector<std::byte> bytes = std::vector<std::byte>(modelBlocks * blockBytes);
  std::vector<bool> hasData = std::vector<bool>(modelBlocks);

  void write(uint64_t block, Bytes data) {
    std::memcpy(bytes.data() + block * blockBytes, data.data(), data.size());
    for (uint64_t i = 0; i < data.size() / blockBytes; ++i) hasData[block + i] = true;
  }
  void punch(uint64_t block, uint64_t count) {
    std::memset(bytes.data() + block * blockBytes, 0, count * blockBytes);
    for (uint64_t i = 0; i < count; ++i) hasData[block + i] = false;
  }
  std::vector<ByteRange> ranges(uint64_t from, uint64_t to) const {
    std::vector<ByteRange> ranges;
    for (uint64_t block = from; block < to; ++block) {
      if (!hasData[block]) continue;
      if (!ranges.empty() && ranges.back().offset + ranges.back().length == block * blockBytes) {
        ranges.back().length += blockBytes;
      } else {
        ranges.push_back({block * blockBytes, blockBytes});
      }
    }
    return ranges;
  }
};

void fillRandom(MutableBytes bytes, std::mt19937_64& random) {
  for (size_t at = 0; at + 8 <= bytes.size(); at += 8) storeLittle<uint64_t>(bytes.data() + at, random());
}

Task<Result<void>> runRandomOperations(File& file, Model& model, std::mt19937_64& random) {
  AlignedBuffer buffer(1024 * 1024);
  for (int step = 0; step < 400; ++step) {
    const uint64_t count = random() % 4 == 0 ? 256 : 1;
    const uint64_t block = random() % (modelBlocks - count + 1);
    const MutableBytes part = buffer.bytes().first(count * blockBytes);
    switch (random() % 3) {
      case 0: {
        fillRandom(part, random);
        const Durability durability = random() % 4 == 0 ? Durability::Durable : Durability::None;
        auto written = co_await file.writeAt(block * blockBytes, part, durability);
        if (!written) co_return written;
        model.write(block, part);
        break;
      }
      case 1: {
        const ByteRange hole{block * blockBytes, count * blockBytes};
        auto punched = co_await file.punchHole(hole);
        if (!punched) co_return punched;
        model.punch(block, count);
        break;
      }
      default: {
        auto read = co_await file.readAt(block * blockBytes, part);
        if (!read) co_return fail(read.error());
        const bool same = *read == part.size() && std::memcmp(part.data(), model.bytes.data() + block * blockBytes, part.size()) == 0;
        if (!same) co_return fail(ErrorCode::Internal, "read differs from the model in step " + std::to_string(step));
        auto ranges = file.dataRanges(block * blockBytes, (block + count) * blockBytes);
        if (!ranges) co_return fail(ranges.error());
        if (*ranges != model.ranges(block, block + count)) co_return fail(ErrorCode::Internal, "data ranges differ in step " + std::to_string(step));
      }
    }
  }
  co_return co_await file.sync();
}

Task<Result<void>> writeUntilFull(File& file) {
  const AlignedBuffer buffer(1024 * 1024);
  for (uint64_t offset = 0; offset < (64ULL << 20); offset += buffer.size()) {
    auto written = co_await file.writeAt(offset, buffer.bytes(), Durability::None);
    if (!written) co_return written;
  }
  co_return Result<void>();
}

}  // namespace

class PosixFileTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void randomOperationsAgreeWithAModel() {
    const auto seed = std::random_device{}();
    qInfo("seed %u", seed);
    std::mt19937_64 random(seed);
    auto file = m_files->open(path("model"), OpenMode::CreateNew, CacheMode::Direct);
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    Model model;
    QVERIFY(runTask((*file)->resize(modelBlocks * blockBytes)));
    auto done = runTask(runRandomOperations(**file, model, random));
    QVERIFY2(done, done ? "" : done.error().message.c_str());
    auto ranges = (*file)->dataRanges(0, modelBlocks * blockBytes);
    QVERIFY(ranges && *ranges == model.ranges(0, modelBlocks));
    uint64_t dataBytes = 0;
    for (const ByteRange& range : *ranges) dataBytes += range.length;
    QVERIFY(*(*file)->allocatedBytes() >= dataBytes);
    QVERIFY(*(*file)->allocatedBytes() <= dataBytes + 64 * blockBytes);
  }

  void readsEndAtTheEndOfTheFile() {
    auto file = m_files->open(path("short"), OpenMode::Create, CacheMode::Direct);
    QVERIFY(file);
    QVERIFY(runTask((*file)->resize(blockBytes + 100)));
    AlignedBuffer buffer(4 * blockBytes);
    QCOMPARE(*runTask((*file)->readAt(0, buffer.bytes())), blockBytes + 100);
    QCOMPARE(*runTask((*file)->readAt(4 * blockBytes, buffer.bytes())), 0u);
    QCOMPARE(*(*file)->size(), blockBytes + 100);
  }

  void bufferedFilesTakeAnyOffset() {
    auto file = m_files->open(path("buffered"), OpenMode::Create, CacheMode::Buffered);
    QVERIFY(file);
    QVERIFY(runTask((*file)->writeAt(3, asBytes("quarry"), Durability::Durable)));
    std::array<std::byte, 32> into{};
    QCOMPARE(*runTask((*file)->readAt(0, into)), 9u);
    QCOMPARE(asText(Bytes(into).subspan(3, 6)), std::string_view("quarry"));
  }

  void preallocatedSpaceIsNeverMistaken() {
    auto file = m_files->open(path("preallocated"), OpenMode::Create, CacheMode::Direct);
    QVERIFY(file);
    const int raw = ::open(path("preallocated").c_str(), O_RDWR);
    QCOMPARE(::posix_fallocate(raw, 0, 64 * blockBytes), 0);
    ::close(raw);
    AlignedBuffer block(blockBytes);
    block.clear();
    block.data()[7] = std::byte{1};
    QVERIFY(runTask((*file)->writeAt(9 * blockBytes, block.bytes(), Durability::None)));
    auto ranges = (*file)->dataRanges(0, 64 * blockBytes);
    QVERIFY(ranges);
    const bool covered = std::any_of(ranges->begin(), ranges->end(), [](const ByteRange& range) {
      return range.offset <= 9 * blockBytes && range.offset + range.length >= 10 * blockBytes;
    });
    QVERIFY(covered);
  }

  void errorsNameThePath() {
    auto missing = m_files->open(path("missing"), OpenMode::ReadWrite, CacheMode::Buffered);
    QVERIFY(!missing);
    QCOMPARE(missing.error().code, ErrorCode::Lost);
    QVERIFY(missing.error().message.find(path("missing")) != std::string::npos);
    QVERIFY(m_files->open(path("once"), OpenMode::CreateNew, CacheMode::Buffered));
    QCOMPARE(m_files->open(path("once"), OpenMode::CreateNew, CacheMode::Buffered).error().code, ErrorCode::Exists);
    QCOMPARE(m_files->remove(path("missing")).error().code, ErrorCode::NotFound);
    auto direct = m_files->open(path("once"), OpenMode::ReadWrite, CacheMode::Direct);
    AlignedBuffer buffer(2 * blockBytes);
    QCOMPARE(runTask((*direct)->writeAt(1, buffer.bytes(), Durability::None)).error().code, ErrorCode::InvalidArgument);
  }

  void foldersAndWholeFiles() {
    QVERIFY(m_files->makeDirectories(path("a/b/c")));
    QVERIFY(m_files->makeDirectories(path("a/b/c")));
    QVERIFY(m_files->replaceFile(path("a/b/c/quarry.json"), "first"));
    QVERIFY(m_files->replaceFile(path("a/b/c/quarry.json"), "second"));
    QCOMPARE(*m_files->readFile(path("a/b/c/quarry.json")), std::string("second"));
    auto files = m_files->list(path("a/b/c"));
    QVERIFY(files && files->size() == 1);
    QCOMPARE(files->front().name, std::string("quarry.json"));
    QCOMPARE(files->front().size, 6u);
    QVERIFY(m_files->rename(path("a/b/c/quarry.json"), path("a/moved")));
    QVERIFY(m_files->list(path("a/b/c"))->empty());
    QCOMPARE(m_files->makeDirectories(path("a/moved/below")).error().code, ErrorCode::NotDirectory);
    QCOMPARE(m_files->readFile(path("nothing")).error().code, ErrorCode::Lost);
    QVERIFY(m_files->space(path("a"))->totalBytes > 0);
  }

  void fullDiskIsNoSpace() {
    const std::string mountPoint = path("small");
    QVERIFY(m_files->makeDirectories(mountPoint));
    if (::geteuid() != 0 || ::mount("tmpfs", mountPoint.c_str(), "tmpfs", 0, "size=8m") != 0) QSKIP("needs root to mount a small tmpfs");
    auto file = m_files->open(mountPoint + "/file", OpenMode::Create, CacheMode::Buffered);
    auto written = runTask(writeUntilFull(**file));
    file->reset();
    ::umount(mountPoint.c_str());
    QVERIFY(!written);
    QCOMPARE(written.error().code, ErrorCode::NoSpace);
    QVERIFY(written.error().message.find("small/file") != std::string::npos);
  }

 private:
  std::string path(const char* name) const { return m_folder.path().toStdString() + "/" + name; }

  QTemporaryDir m_folder;
  std::unique_ptr<FileSystem> m_files = makePosixFileSystem();
};

QTEST_GUILESS_MAIN(PosixFileTest)
#include "posix_file_test.moc"
