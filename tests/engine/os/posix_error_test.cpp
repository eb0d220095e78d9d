// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/os/posix_error.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <vector>

#include "engine/os/descriptor_limit.h"
#include "engine/os/file.h"

namespace quarry::os {

class PosixErrorTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void whatRanOutIsBusyAndNoFaultOfTheDisk();
  void faultsOfTheDiskAreIoErrors();
  void namesVerbPathAndReason();
  void aProcessOutOfDescriptorsIsBusy();
  void raisesTheLimitAsFarAsItGoes();
};

void PosixErrorTest::whatRanOutIsBusyAndNoFaultOfTheDisk() {
  for (const int value : {EMFILE, ENFILE, ENOMEM, ENOBUFS, EAGAIN, EBUSY}) QVERIFY2(codeOfErrno(value) == ErrorCode::Busy, std::strerror(value));
}

void PosixErrorTest::faultsOfTheDiskAreIoErrors() {
  for (const int value : {EIO, EBADF, ENXIO, ENODEV}) QVERIFY2(codeOfErrno(value) == ErrorCode::IoError, std::strerror(value));
  for (const int value : {ENOSPC, EDQUOT}) QVERIFY2(codeOfErrno(value) == ErrorCode::NoSpace, std::strerror(value));
}

void PosixErrorTest::namesVerbPathAndReason() {
  const Error error = errnoError(ENOENT, "open", "/a/b");
  QCOMPARE(error.code, ErrorCode::NotFound);
  QCOMPARE(error.message, std::string("cannot open /a/b: No such file or directory"));
}

void PosixErrorTest::aProcessOutOfDescriptorsIsBusy() {
  QTemporaryDir dir;
  const auto files = makePosixFileSystem();
  const std::string path = dir.filePath(QStringLiteral("file")).toStdString();
  QVERIFY(files->open(path, OpenMode::Create, CacheMode::Buffered));
  std::vector<Descriptor> taken;
  rlimit before{};
  QVERIFY(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit few{64, before.rlim_max};
  QVERIFY(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  for (int value = ::open("/dev/null", O_RDONLY | O_CLOEXEC); value >= 0; value = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) taken.emplace_back(value);
  const auto opened = files->open(path, OpenMode::ReadWrite, CacheMode::Buffered);
  const auto synced = files->syncDirectory(dir.path().toStdString());
  taken.clear();
  QVERIFY(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  QVERIFY(!opened && opened.error().code == ErrorCode::Busy);
  QVERIFY(!synced && synced.error().code == ErrorCode::Busy);
  QVERIFY(files->open(path, OpenMode::ReadWrite, CacheMode::Buffered));
}

void PosixErrorTest::raisesTheLimitAsFarAsItGoes() {
  rlimit before{};
  QVERIFY(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit few{std::min<rlim_t>(before.rlim_max, 256), before.rlim_max};
  QVERIFY(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  QCOMPARE(raiseDescriptorLimit(), uint64_t{before.rlim_max});
  rlimit after{};
  QVERIFY(::getrlimit(RLIMIT_NOFILE, &after) == 0);
  QCOMPARE(uint64_t{after.rlim_cur}, uint64_t{before.rlim_max});
  QVERIFY(::setrlimit(RLIMIT_NOFILE, &before) == 0);
}

}  // namespace quarry::os

QTEST_GUILESS_MAIN(quarry::os::PosixErrorTest)
#include "posix_error_test.moc"
