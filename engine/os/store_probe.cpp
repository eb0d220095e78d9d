// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/os/store_probe.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <random>

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/os/posix_error.h"
#include "engine/os/uring.h"

namespace quarry::os {

namespace {

constexpr uint64_t holeTestBlocks = 16;
constexpr uint64_t punchedBlock = 5;
constexpr uint64_t speedChunkBytes = 1024 * 1024;
constexpr uint64_t speedBytesMax = 256 * speedChunkBytes;
constexpr auto speedTimeMax = std::chrono::milliseconds(600);
constexpr std::string_view probePrefix = ".quarry-probe-";
constexpr const char* otherDiskRemedy = "Use a folder on an ext4 or XFS disk.";

std::string reason(int errnoValue) { return std::strerror(errnoValue); }

// Folders that were missing, outermost first, made for the time of the probe.
class ScratchFolders {
 public:
  ~ScratchFolders() {
    for (auto folder = m_made.rbegin(); folder != m_made.rend(); ++folder) ::rmdir(folder->c_str());
  }
  int make(const std::string& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) == 0) return S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
    if (errno != ENOENT) return errno;
    const size_t slash = path.find_last_of('/');
    if (slash != std::string::npos && slash > 0) {
      if (const int failed = make(path.substr(0, slash)); failed != 0) return failed;
    }
    if (::mkdir(path.c_str(), 0700) != 0) return errno;
    m_made.push_back(path);
    return 0;
  }

 private:
  std::vector<std::string> m_made;
};

// What the engine makes before quarry.json.
bool isPartOfNewStore(std::string_view name) {
  for (const std::string_view file : {"namespace.db", "blocks.db", "history.db", "quarry.json", creatingName})
    if (name.starts_with(file) && (name.size() == file.size() || name[file.size()] == '-' || name.ends_with(".new"))) return true;
  return name == "landing" || name == "containers";
}

// The name of something in the folder that is not ours; nullopt when it is as good as empty, or holds what an interrupted creation left.
Result<std::optional<std::string>> foreignEntry(const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), ::closedir);
  if (!directory) return fail(errnoError(errno, "list", path));
  const bool isInterrupted = ::access((path + "/" + creatingName).c_str(), F_OK) == 0;
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (name == std::string(creatingName) + ".new" || (isInterrupted && isPartOfNewStore(name))) continue;
    const bool harmless = name == "." || name == ".." || name == "lost+found" || name == "lock" || name.starts_with(probePrefix);
    if (!harmless) return std::string(name);
  }
  return std::nullopt;
}

class Probe {
 public:
  explicit Probe(const std::string& path) : m_path(path.size() > 1 && path.ends_with('/') ? path.substr(0, path.size() - 1) : path) {}

  StoreProbe run() {
    using Check = void (Probe::*)(ProbeCheck&);
    const std::pair<const char*, Check> checks[] = {
        {"folder", &Probe::checkFolder},     {"ours", &Probe::checkOurs},          {"writable", &Probe::checkWritable},
        {"io-uring", &Probe::checkUring},    {"direct-io", &Probe::checkDirectIo}, {"hole-punching", &Probe::checkHolePunching},
        {"hole-grain", &Probe::checkHoleGrain}, {"space", &Probe::checkSpace},     {"speed", &Probe::checkSpeed}};
    bool goOn = true;
    for (const auto& [name, check] : checks) {
      ProbeCheck result{.name = name, .outcome = ProbeOutcome::Passed, .sentence = {}};
      if (goOn) {
        (this->*check)(result);
      } else {
        result = {name, ProbeOutcome::Skipped, "Not tried, because an earlier check failed."};
      }
      goOn = goOn && result.outcome != ProbeOutcome::Failed;
      m_result.checks.push_back(std::move(result));
    }
    return std::move(m_result);
  }

 private:
  static void refuse(ProbeCheck& check, std::string sentence) {
    check.outcome = ProbeOutcome::Failed;
    check.sentence = std::move(sentence);
  }

  void checkFolder(ProbeCheck& check) {
    check.sentence = "The folder " + m_path + " exists or can be made.";
    if (m_path.empty() || m_path[0] != '/') return refuse(check, "The store folder must be an absolute path, such as /srv/quarry.");
    const int failed = m_folders.make(m_path);
    if (failed == ENOTDIR) return refuse(check, m_path + " is, or lies below, something that is not a folder. Choose another path.");
    if (failed != 0) {
      refuse(check, "The folder " + m_path + " cannot be made (" + reason(failed) + "). Make it and give it to the user that runs the engine.");
    }
  }

  void checkOurs(ProbeCheck& check) {
    m_result.isExistingStore = ::access((m_path + "/quarry.json").c_str(), F_OK) == 0;
    if (m_result.isExistingStore) {
      check.sentence = m_path + " already holds a store; its contents are kept.";
      return;
    }
    const bool isInterrupted = ::access((m_path + "/" + creatingName).c_str(), F_OK) == 0;
    check.sentence = isInterrupted ? "The making of a store in " + m_path + " was interrupted; it is made anew." : m_path + " is empty.";
    auto foreign = foreignEntry(m_path);
    if (!foreign) return refuse(check, foreign.error().message + ". Give the folder to the user that runs the engine.");
    if (*foreign) {
      refuse(check, m_path + " is neither empty nor a store: it contains \"" + **foreign + "\". Choose an empty folder or one that does not exist yet.");
    }
  }

  void checkWritable(ProbeCheck& check) {
    check.sentence = "The engine can write there.";
    m_file = openTestFile(0);
    if (!m_file.isOpen()) {
      refuse(check, "The engine cannot write to " + m_path + " (" + reason(errno) + "). Give the folder to the user that runs the engine.");
    }
  }

  void checkUring(ProbeCheck& check) {
    check.sentence = "io_uring is available.";
    if (auto available = Uring::checkAvailable(); !available) refuse(check, available.error().message + ".");
  }

  void checkDirectIo(ProbeCheck& check) {
    check.sentence = "Direct I/O (O_DIRECT) works in 4 KiB blocks.";
    m_file = openTestFile(O_DIRECT);
    if (!m_file.isOpen()) return refuse(check, std::string("The disk does not support direct I/O (") + reason(errno) + "). " + otherDiskRemedy);
    std::mt19937_64 random(std::random_device{}());  // not compressible, so that the space taken shows
    for (std::byte& byte : m_blocks.bytes()) byte = static_cast<std::byte>(random());
    const ssize_t written = ::pwrite(m_file.get(), m_blocks.data(), m_blocks.size(), 0);
    if (written < 0 && errno == ENOSPC) return refuse(check, "The disk is full. Free some space or choose another disk.");
    if (written != static_cast<ssize_t>(m_blocks.size()) || ::fsync(m_file.get()) != 0) {
      refuse(check, std::string("Direct I/O in 4 KiB blocks fails (") + reason(errno) + "). " + otherDiskRemedy);
    }
  }

  void checkHolePunching(ProbeCheck& check) {
    check.sentence = "Space inside a file can be given back (hole punching).";
    const uint64_t before = allocatedBytes();
    const int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
    if (::fallocate(m_file.get(), mode, punchedBlock * blockBytes, blockBytes) != 0) {
      return refuse(check, std::string("The file system cannot punch holes into files (") + reason(errno) + "), which deduplication needs. " + otherDiskRemedy);
    }
    ::fsync(m_file.get());
    if (before != allocatedBytes() + blockBytes) {
      return refuse(check, std::string("A 4 KiB hole gives no space back: the file system works in larger blocks. ") + otherDiskRemedy);
    }
    AlignedBuffer expected(m_blocks.size());
    std::memcpy(expected.data(), m_blocks.data(), m_blocks.size());
    std::memset(expected.data() + punchedBlock * blockBytes, 0, blockBytes);
    const ssize_t count = ::pread(m_file.get(), m_blocks.data(), m_blocks.size(), 0);
    if (count != static_cast<ssize_t>(m_blocks.size()) || std::memcmp(expected.data(), m_blocks.data(), m_blocks.size()) != 0) {
      refuse(check, std::string("What is read around a punched hole is wrong: this disk cannot be trusted. ") + otherDiskRemedy);
    }
  }

  void checkHoleGrain(ProbeCheck& check) {
    check.sentence = "Holes are reported exactly, in 4 KiB blocks.";
    const off_t hole = punchedBlock * blockBytes;
    const off_t lone = (holeTestBlocks + 8) * blockBytes;  // one block written far behind the end
    bool exact = ::lseek(m_file.get(), 0, SEEK_HOLE) == hole && ::lseek(m_file.get(), hole, SEEK_DATA) == hole + static_cast<off_t>(blockBytes);
    exact = exact && ::pwrite(m_file.get(), m_blocks.data(), blockBytes, lone) == static_cast<ssize_t>(blockBytes);
    exact = exact && ::ftruncate(m_file.get(), lone + 8 * static_cast<off_t>(blockBytes)) == 0;
    exact = exact && ::lseek(m_file.get(), holeTestBlocks * blockBytes, SEEK_DATA) == lone;
    exact = exact && ::lseek(m_file.get(), lone, SEEK_HOLE) == lone + static_cast<off_t>(blockBytes);
    if (!exact) refuse(check, std::string("The file system does not report holes exactly in 4 KiB blocks (SEEK_DATA, SEEK_HOLE). ") + otherDiskRemedy);
  }

  void checkSpace(ProbeCheck& check) {
    struct statvfs info {};
    if (::statvfs(m_path.c_str(), &info) != 0) return refuse(check, "The free space cannot be read (" + reason(errno) + ").");
    m_result.totalBytes = info.f_blocks * info.f_frsize;
    m_result.freeBytes = info.f_bavail * info.f_frsize;
    const std::string text = std::to_string(m_result.freeBytes / (1024 * 1024)) + " MiB are free";
    check.sentence = text + ".";
    if (m_result.freeBytes >= storeFreeBytesWarning) return;
    if (m_result.freeBytes < storeFreeBytesMin && !m_result.isExistingStore) {
      return refuse(check, "Only " + text + "; a store needs at least " + std::to_string(storeFreeBytesMin / (1024 * 1024)) + " MiB. Choose a larger disk.");
    }
    check.outcome = ProbeOutcome::Warning;
    check.sentence = "Only " + text + ": enough for a trial, little for VM disks.";
  }

  void checkSpeed(ProbeCheck& check) {
    AlignedBuffer chunk(speedChunkBytes);
    for (uint64_t at = 0; at < chunk.size(); at += m_blocks.size()) std::memcpy(chunk.data() + at, m_blocks.data(), m_blocks.size());
    const auto begin = std::chrono::steady_clock::now();
    const uint64_t bytesMax = std::min(speedBytesMax, m_result.freeBytes / 20);
    uint64_t written = 0;
    while (written + speedChunkBytes <= bytesMax && std::chrono::steady_clock::now() - begin < speedTimeMax) {
      const ssize_t count = ::pwrite(m_file.get(), chunk.data(), chunk.size(), static_cast<off_t>(written));
      if (count != static_cast<ssize_t>(chunk.size())) return refuse(check, "Writing a test file failed (" + reason(errno) + ").");
      written += speedChunkBytes;
    }
    if (::fdatasync(m_file.get()) != 0) return refuse(check, "The disk could not store a test file durably (" + reason(errno) + ").");
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (written > 0 && seconds > 0) m_result.writeBytesPerSecond = static_cast<uint64_t>(static_cast<double>(written) / seconds);
    check.sentence = written == 0 ? "There is too little space to measure the speed."
                                  : "The disk writes about " + std::to_string(m_result.writeBytesPerSecond / 1'000'000) + " MB/s.";
  }

  // Nameless once open, so that nothing stays behind whatever happens.
  Descriptor openTestFile(int flags) const {
    const std::string path = m_path + "/" + std::string(probePrefix) + std::to_string(::getpid()) + "-" + std::to_string(std::random_device{}());
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0600));
    const int openErrno = errno;
    ::unlink(path.c_str());
    errno = openErrno;
    return file;
  }

  uint64_t allocatedBytes() const {
    struct stat info {};
    return ::fstat(m_file.get(), &info) == 0 ? static_cast<uint64_t>(info.st_blocks) * 512 : 0;
  }

  const std::string m_path;
  ScratchFolders m_folders;
  Descriptor m_file;
  AlignedBuffer m_blocks{holeTestBlocks * blockBytes};
  StoreProbe m_result;
};

}  // namespace

bool StoreProbe::isUsable() const {
  return std::none_of(checks.begin(), checks.end(), [](const ProbeCheck& check) {
    return check.outcome == ProbeOutcome::Failed || check.outcome == ProbeOutcome::Skipped;
  });
}

std::string StoreProbe::failures() const {
  std::string text;
  for (const ProbeCheck& check : checks) {
    if (check.outcome == ProbeOutcome::Failed) text += (text.empty() ? "" : " ") + check.sentence;
  }
  return text;
}

StoreProbe probeStore(const std::string& storePath) { return Probe(storePath).run(); }

}  // namespace quarry::os
