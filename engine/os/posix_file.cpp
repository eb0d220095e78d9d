// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/os/posix_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace quarry::os {

namespace {
// EINTR and EAGAIN are answered by asking again. A system that says EAGAIN for ever is short of memory: Busy, no fault of the disk.
constexpr int attemptsMax = 1000;

bool mustAskAgain(int result) { return result == -EINTR || result == -EAGAIN; }
}  // namespace

PosixFile::PosixFile(Descriptor descriptor, std::string path, CacheMode cache)
    : m_descriptor(std::move(descriptor)), m_path(std::move(path)), m_cache(cache) {}

Task<int> PosixFile::runUntilAnswered(UringRequest request) {
  request.descriptor = m_descriptor.get();
  int result = co_await Uring::run(request);
  for (int attempt = 1; mustAskAgain(result) && attempt < attemptsMax; ++attempt) result = co_await Uring::run(request);
  co_return mustAskAgain(result) ? -EAGAIN : result;
}

Error PosixFile::error(int errnoValue, std::string_view verb) const {
  Error error = errnoError(errnoValue, verb, m_path);
  if (error.code == ErrorCode::NotSupported || error.code == ErrorCode::NotPermitted) {
    if (auto available = Uring::checkAvailable(); !available) error.message += "; " + available.error().message;
  }
  return error;
}

Task<Result<uint64_t>> PosixFile::readAt(uint64_t offset, MutableBytes into) {
  uint64_t done = 0;
  while (done < into.size()) {
    const uint64_t length = std::min<uint64_t>(into.size() - done, UringRequest::transferBytesMax);
    const UringRequest request{.kind = UringRequest::Kind::Read, .data = into.data() + done, .offset = offset + done, .length = length};
    const int result = co_await runUntilAnswered(request);
    if (result < 0) co_return fail(error(-result, "read"));
    done += static_cast<uint64_t>(result);
    // A direct read is cut inside a block only by the end of the file, and could not go on from there.
    if (result == 0 || (m_cache == CacheMode::Direct && result % static_cast<int>(blockBytes) != 0)) break;
  }
  co_return done;
}

Task<Result<void>> PosixFile::writeAt(uint64_t offset, Bytes data, Durability durability) {
  const auto kind = durability == Durability::Durable ? UringRequest::Kind::DurableWrite : UringRequest::Kind::Write;
  uint64_t done = 0;
  while (done < data.size()) {
    const uint64_t length = std::min<uint64_t>(data.size() - done, UringRequest::transferBytesMax);
    const UringRequest request{.kind = kind, .data = const_cast<std::byte*>(data.data()) + done, .offset = offset + done, .length = length};
    const int result = co_await runUntilAnswered(request);
    if (result < 0) co_return fail(error(-result, "write"));
    // A direct write that was cut inside a block goes on from that block's start; a full disk is what cuts it.
    const auto written = static_cast<uint64_t>(result);
    const uint64_t advanced = m_cache == CacheMode::Direct && written < length ? alignDown(written, blockBytes) : written;
    if (advanced == 0) co_return fail(error(ENOSPC, "write"));
    done += advanced;
  }
  co_return Result<void>();
}

Task<Result<void>> PosixFile::sync() {
  const UringRequest request{.kind = UringRequest::Kind::SyncData};
  const int result = co_await runUntilAnswered(request);
  if (result < 0) co_return fail(error(-result, "sync"));
  co_return Result<void>();
}

Task<Result<void>> PosixFile::punchHole(ByteRange range) {
  if (range.length == 0) co_return Result<void>();
  const UringRequest request{.kind = UringRequest::Kind::PunchHole, .offset = range.offset, .length = range.length};
  const int result = co_await runUntilAnswered(request);
  if (result < 0) co_return fail(error(-result, "punch a hole into"));
  co_return Result<void>();
}

Task<Result<void>> PosixFile::resize(uint64_t size) {
  int result = 0;
  do {
    result = ::ftruncate(m_descriptor.get(), static_cast<off_t>(size));
  } while (result != 0 && errno == EINTR);
  if (result != 0) co_return fail(error(errno, "resize"));
  co_return Result<void>();
}

// SEEK_HOLE may call unwritten preallocated space a hole: it reads as zero, so it is one. What holds data is never called a hole.
Result<std::vector<ByteRange>> PosixFile::dataRanges(uint64_t from, uint64_t to) {
  std::vector<ByteRange> ranges;
  for (uint64_t at = from; at < to;) {
    const off_t begin = ::lseek(m_descriptor.get(), static_cast<off_t>(at), SEEK_DATA);
    if (begin < 0 && errno == ENXIO) break;  // nothing but holes up to the end
    if (begin < 0) return fail(error(errno, "look for data in"));
    if (static_cast<uint64_t>(begin) >= to) break;
    const off_t end = ::lseek(m_descriptor.get(), begin, SEEK_HOLE);
    if (end < 0 && errno == ENXIO) break;  // shortened meanwhile
    if (end < 0) return fail(error(errno, "look for holes in"));
    const uint64_t dataEnd = std::min(static_cast<uint64_t>(end), to);
    if (dataEnd <= static_cast<uint64_t>(begin)) {
      at = static_cast<uint64_t>(begin) + 1;  // punched between the two calls
      continue;
    }
    const ByteRange range{static_cast<uint64_t>(begin), dataEnd - static_cast<uint64_t>(begin)};
    if (!ranges.empty() && ranges.back().offset + ranges.back().length == range.offset) {
      ranges.back().length += range.length;
    } else {
      ranges.push_back(range);
    }
    at = dataEnd;
  }
  return ranges;
}

Result<uint64_t> PosixFile::size() {
  struct stat info {};
  if (::fstat(m_descriptor.get(), &info) != 0) return fail(error(errno, "examine"));
  return static_cast<uint64_t>(info.st_size);
}

Result<uint64_t> PosixFile::allocatedBytes() {
  struct stat info {};
  if (::fstat(m_descriptor.get(), &info) != 0) return fail(error(errno, "examine"));
  return static_cast<uint64_t>(info.st_blocks) * 512;
}

}  // namespace quarry::os
