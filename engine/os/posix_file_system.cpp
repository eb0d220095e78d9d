// SPDX-License-Identifier: GPL-3.0-or-later
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "engine/os/file.h"
#include "engine/os/posix_error.h"
#include "engine/os/posix_file.h"

namespace quarry::os {

namespace {

constexpr uint64_t wholeFileBytesMax = 64 * 1024 * 1024;  // readFile is for small files

int openFlags(OpenMode mode) {
  switch (mode) {
    case OpenMode::ReadOnly: return O_RDONLY;
    case OpenMode::ReadWrite: return O_RDWR;
    case OpenMode::Create: return O_RDWR | O_CREAT;
    case OpenMode::CreateNew: return O_RDWR | O_CREAT | O_EXCL;
  }
  return O_RDONLY;
}

// A file that must exist and does not is lost, not merely not found.
Error openError(int errnoValue, const std::string& path) {
  Error error = errnoError(errnoValue, "open", path);
  if (error.code == ErrorCode::NotFound) error.code = ErrorCode::Lost;
  return error;
}

Result<Descriptor> openDescriptor(const std::string& path, int flags) {
  int value = -1;
  do {
    value = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  } while (value < 0 && errno == EINTR);
  if (value < 0) return fail(openError(errno, path));
  return Descriptor(value);
}

std::string parentOf(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

FileInfo fileInfo(const std::string& name, const struct stat& info) {
  return {.name = name,
          .size = static_cast<uint64_t>(info.st_size),
          .allocatedBytes = static_cast<uint64_t>(info.st_blocks) * 512,
          .modifiedUnixNs = int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec};
}

Result<void> writeWhole(int descriptor, const std::string& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(errnoError(errno, "write", path));
    text.remove_prefix(static_cast<size_t>(written));
  }
  if (::fsync(descriptor) != 0) return fail(errnoError(errno, "sync", path));
  return {};
}

class PosixFileSystem : public FileSystem {
 public:
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode, CacheMode cache) override {
    const int direct = cache == CacheMode::Direct ? O_DIRECT : 0;
    auto descriptor = openDescriptor(path, openFlags(mode) | direct);
    if (!descriptor && direct != 0 && descriptor.error().code == ErrorCode::InvalidArgument) {
      return fail(ErrorCode::NotSupported, "the file system of " + path + " does not support O_DIRECT");
    }
    if (!descriptor) return fail(descriptor.error());
    struct stat info {};
    if (::fstat(descriptor->get(), &info) != 0) return fail(errnoError(errno, "examine", path));
    if (S_ISDIR(info.st_mode)) return fail(errnoError(EISDIR, "open", path));
    return std::make_unique<PosixFile>(std::move(*descriptor), path, cache);
  }

  Result<void> remove(const std::string& path) override {
    if (::unlink(path.c_str()) != 0) return fail(errnoError(errno, "remove", path));
    return {};
  }

  Result<void> rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) return fail(errnoError(errno, "rename", from + " to " + to));
    return {};
  }

  Result<void> makeDirectories(const std::string& path) override {
    struct stat info {};
    if (::stat(path.c_str(), &info) == 0) {
      if (!S_ISDIR(info.st_mode)) return fail(errnoError(ENOTDIR, "make the folder", path));
      return {};
    }
    const std::string parent = parentOf(path);
    if (parent != path && parent != ".") {
      if (auto made = makeDirectories(parent); !made) return made;
    }
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return fail(errnoError(errno, "make the folder", path));
    return syncDirectory(parent);
  }

  Result<void> syncDirectory(const std::string& path) override {
    auto directory = openDescriptor(path, O_RDONLY | O_DIRECTORY);
    if (!directory) return fail(directory.error());
    if (::fsync(directory->get()) != 0) return fail(errnoError(errno, "sync", path));
    return {};
  }

  Result<std::vector<FileInfo>> list(const std::string& path) override {
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), ::closedir);
    if (!directory) return fail(openError(errno, path));
    std::vector<FileInfo> files;
    errno = 0;
    while (const dirent* entry = ::readdir(directory.get())) {
      struct stat info {};
      const bool found = ::fstatat(::dirfd(directory.get()), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0;
      if (found && S_ISREG(info.st_mode)) files.push_back(fileInfo(entry->d_name, info));
      errno = 0;
    }
    if (errno != 0) return fail(errnoError(errno, "list", path));
    return files;
  }

  Result<DiskSpace> space(const std::string& path) override {
    struct statvfs info {};
    if (::statvfs(path.c_str(), &info) != 0) return fail(errnoError(errno, "examine the disk of", path));
    return DiskSpace{.totalBytes = info.f_blocks * info.f_frsize, .freeBytes = info.f_bavail * info.f_frsize};
  }

  Result<std::string> readFile(const std::string& path) override {
    auto descriptor = openDescriptor(path, O_RDONLY);
    if (!descriptor) return fail(descriptor.error());
    std::string text;
    std::array<char, 65536> chunk;
    while (true) {
      const ssize_t count = ::read(descriptor->get(), chunk.data(), chunk.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return fail(errnoError(errno, "read", path));
      if (count == 0) return text;
      text.append(chunk.data(), static_cast<size_t>(count));
      if (text.size() > wholeFileBytesMax) return fail(errnoError(EFBIG, "read", path));
    }
  }

  Result<void> replaceFile(const std::string& path, const std::string& text) override {
    const std::string beside = path + ".new";
    {
      auto descriptor = openDescriptor(beside, O_WRONLY | O_CREAT | O_TRUNC);
      if (!descriptor) return fail(descriptor.error());
      if (auto written = writeWhole(descriptor->get(), beside, text); !written) {
        ::unlink(beside.c_str());
        return written;
      }
    }
    if (auto renamed = rename(beside, path); !renamed) return renamed;
    return syncDirectory(parentOf(path));
  }
};

}  // namespace

std::unique_ptr<FileSystem> makePosixFileSystem() { return std::make_unique<PosixFileSystem>(); }

}  // namespace quarry::os
