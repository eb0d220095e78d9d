// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <utility>

#include "engine/base/spawn.h"
#include "engine/vstorage/exported_vstorage.h"
#include "engine/vstorage/permissions.h"

namespace quarry {

namespace {
constexpr uint64_t toEnd = os::RangeLock::toEnd;

// The last part of a path starts with ".lck": a host that cannot write its lock file loses the VM.
bool isLockFile(std::string_view path) {
  const size_t slash = path.rfind('/');
  return path.substr(slash == std::string_view::npos ? 0 : slash + 1).starts_with(".lck");
}

bool isCached(Keep keep) { return keep == Keep::Dirty || keep == Keep::Journaled || keep == Keep::Unprotected; }
}  // namespace

// Counts writes under the old and the new write mode apart: changing it waits for those that began before.
class ExportedVstorage::InFlight {
 public:
  explicit InFlight(ExportedVstorage& vstorage) : m_count(vstorage.m_inFlight[vstorage.m_modeEpoch.load() % 2]) { m_count.fetch_add(1); }
  ~InFlight() { m_count.fetch_sub(1); }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

 private:
  std::atomic<uint64_t>& m_count;
};

Error ExportedVstorage::withFile(Error error, const Inode& inode) const {
  error.message = m_name + "/" + m_parts.inodes.path(inode.fileid) + ": " + error.message;
  if (const auto vm = m_parts.vms.owner(inode)) error.message = "VM " + vm->name + ": " + error.message;
  m_parts.health.noteDamage(error);
  return error;
}

void ExportedVstorage::record(const Inode& inode, const Done& done, std::chrono::steady_clock::time_point begun) {
  const auto latency = m_parts.clock.steady() - begun;
  const auto tell = [&done, latency](IoRecorder& recorder) {
    recorder.record(done.kind, done.bytes, latency);
    if (done.kind == IoKind::Read) recorder.recordBlocks(done.blocksFromRam, done.blocksFromDisk);
  };
  tell(*m_engineRecorder);
  tell(*m_recorder);
  if (const auto vm = m_parts.vms.owner(inode)) tell(*vm->recorder);
}

Task<Result<ReadReply>> ExportedVstorage::read(const Caller& caller, FileId fileid, uint64_t offset, uint32_t count) {
  const auto begun = m_parts.clock.steady();
  for (;;) {
    const auto inode = regularFile(fileid);
    if (!inode) co_return fail(inode.error());
    if (auto allowed = checkReadData(caller, *inode); !allowed) co_return fail(allowed.error());
    Done done{.kind = IoKind::Read};
    auto reply = co_await readOnce(*inode, offset, count, done);
    if (!reply) co_return fail(withFile(reply.error(), *inode));
    const auto after = reply->count > 0 ? m_parts.inodes.touchRead(fileid) : m_parts.inodes.get(fileid);
    if (!after) co_return fail(ErrorCode::Stale, "the file is gone");  // and its data with it, perhaps before it was read
    // Shortened meanwhile: what was read may be zeros that the file never held.
    if (after->truncateCounter != inode->truncateCounter) continue;
    // Extended meanwhile: an end of file beside attributes that say it goes on would be a contradiction.
    if (reply->eof && after->size > inode->size) continue;
    if (reply->count == 0) co_return reply;
    reply->inode = *after;
    record(*inode, done, begun);
    co_return reply;
  }
}

Task<Result<ReadReply>> ExportedVstorage::readOnce(const Inode& inode, uint64_t offset, uint32_t count, Done& done) {
  ReadReply reply;
  reply.inode = inode;
  if (offset < inode.size) reply.count = static_cast<uint32_t>(std::min<uint64_t>({count, readBytesMax, inode.size - offset}));
  reply.eof = offset >= inode.size || offset + reply.count == inode.size;
  if (reply.count == 0) co_return reply;

  const uint64_t begin = alignDown(offset, blockBytes);
  reply.firstByte = static_cast<uint32_t>(offset - begin);
  const auto file = m_parts.files.get(inode.fileid);
  const uint64_t bytes = alignUp(offset + reply.count, blockBytes) - begin;
  std::vector<cache::BlockRef> blocks(bytes / blockBytes);
  if (const auto ahead = file->noteRead({begin / blockBytes, bytes / blockBytes})) startReadAhead(file, *ahead, inode.size);
  const size_t heldCount = file->findForClient(begin / blockBytes, blocks);
  done = {.kind = IoKind::Read, .bytes = reply.count, .blocksFromRam = heldCount, .blocksFromDisk = blocks.size() - heldCount};
  if (heldCount == blocks.size()) {
    reply.blocks = std::move(blocks);
    co_return reply;
  }
  reply.buffer = AlignedBuffer(bytes);
  const auto read = co_await file->readRest(begin, reply.buffer.bytes(), std::move(blocks), StoredFile::Reader::Client);
  if (!read) co_return fail(read.error());
  co_return reply;
}

// Up to the end of the file.
void ExportedVstorage::startReadAhead(std::shared_ptr<StoredFile> file, cache::BlockRange blocks, uint64_t size) {
  const uint64_t end = std::min(blocks.end(), alignUp(size, blockBytes) / blockBytes);
  if (blocks.first < end) m_parts.files.startReadAhead(std::move(file), {blocks.first, end - blocks.first});
}

Task<Result<WriteReply>> ExportedVstorage::write(const Caller& caller, WriteRequest request) {
  const auto begun = m_parts.clock.steady();
  if (auto writable = checkWritable(); !writable) co_return fail(writable.error());
  const auto inode = regularFile(request.fileid);
  if (!inode) co_return fail(inode.error());
  if (auto allowed = checkWriteData(caller, *inode); !allowed) co_return fail(allowed.error());
  if (request.data.size() > writeBytesMax) co_return fail(ErrorCode::InvalidArgument, "more than one write may carry");
  if (request.offset > fileBytesMax || request.data.size() > fileBytesMax - request.offset)
    co_return fail(ErrorCode::FileTooBig, "no file may be larger than 64 TiB");
  if (request.data.empty()) co_return WriteReply{{*inode, *inode}, 0, Stability::FileSync};

  const auto file = m_parts.files.get(request.fileid);
  const InFlight inFlight(*this);  // before the write mode is looked at
  const Keep keep = keepFor(request, *inode);
  while (isCached(keep) && m_parts.caches.write().isFilling()) {
    const auto room = co_await m_parts.caches.write().waitForRoom();
    if (room) break;
    if (room.error().code != ErrorCode::Busy) co_return fail(withFile(room.error(), *inode));
    if (auto writable = checkWritable(); !writable) co_return fail(writable.error());
  }
  auto guard = co_await lockForWrite(request.fileid, file, request.offset, request.offset + request.data.size());
  if (!guard) co_return fail(withFile(guard.error(), *inode));
  bool isSizeDurable = false;
  auto written = co_await writeUnderLock(request, keep, file, *guard, isSizeDurable);
  if (!written) co_return fail(withFile(written.error(), *inode));
  if (request.stability != Stability::Unstable && !isSizeDurable) {
    const auto persisted = co_await m_parts.inodes.persistSize(request.fileid);
    if (!persisted) co_return fail(withFile(persisted.error(), *inode));
  }
  record(*inode, {.kind = IoKind::Write, .bytes = request.data.size()}, begun);
  co_return written;
}

// The range is free, the file prepared, and no shortening is left half-way below it.
Task<Result<os::RangeLock::Guard>> ExportedVstorage::lockForWrite(FileId fileid, std::shared_ptr<StoredFile> file, uint64_t from, uint64_t end) {
  for (;;) {
    const auto before = regularFile(fileid);
    if (!before) co_return fail(before.error());
    const auto prepared = co_await file->prepare(before->size);
    if (!prepared) co_return fail(prepared.error());
    {
      auto guard = co_await file->lock(from, end);
      const auto inode = regularFile(fileid);
      if (!inode) co_return fail(inode.error());
      if (!inode->pendingTruncate || end <= *inode->pendingTruncate) co_return guard;
    }
    const auto finished = co_await finishTruncate(fileid, file);
    if (!finished) co_return fail(finished.error());
  }
}

// Releases the guard: the size is in the namespace then, and making it durable keeps nobody out.
Task<Result<WriteReply>> ExportedVstorage::writeUnderLock(const WriteRequest& request, Keep keep, std::shared_ptr<StoredFile> file,
                                                          os::RangeLock::Guard& guard, bool& isSizeDurable) {
  const os::RangeLock::Guard held = std::move(guard);
  const FileId fileid = request.fileid;
  const auto inode = regularFile(fileid);
  if (!inode) co_return fail(inode.error());
  const uint64_t begin = alignDown(request.offset, blockBytes), end = request.offset + request.data.size();
  const auto admitted = co_await admit(*inode, file, {begin, alignUp(end, blockBytes) - begin});
  if (!admitted) co_return fail(admitted.error());

  const bool isStable = request.stability != Stability::Unstable;
  const auto landed = co_await file->writeLocked(request.offset, request.data, keep);
  if (!landed) {
    m_parts.inodes.touchWritten(fileid, 0);  // part of the range may be new: caches of other hosts must notice
    co_return fail(landed.error());
  }
  m_quota.noteLanded(std::min(*landed * blockBytes, *admitted));
  auto change = m_parts.inodes.touchWritten(fileid, end);
  if (!change) co_return fail(change.error());
  isSizeDurable = keep == Keep::Unprotected;
  if (keep == Keep::Journaled) {
    // The size is in the namespace's RAM before: if the blocks are destaged at once, it becomes durable with them.
    const auto journaled = co_await file->journalLocked({request.offset, request.data.size()}, end);
    if (!journaled) co_return fail(journaled.error());
    isSizeDurable = *journaled;
  }
  co_return WriteReply{std::move(*change), static_cast<uint32_t>(request.data.size()), isStable ? Stability::FileSync : Stability::Unstable};
}

// Returns how much of what lands counts for the quota. Lock files may use the reserve, and no quota stops them or keeps them waiting: a
// host that cannot write its lock stops the VM. Blocks that a recipe holds are in the file already: writing them again adds nothing to it, and is
// what the reserve is for.
Task<Result<uint64_t>> ExportedVstorage::admit(const Inode& inode, std::shared_ptr<StoredFile> file, os::ByteRange range) {
  const uint64_t bytes = file->notLandedBytes(range);
  const uint64_t quotaBytes = live()->settings.quotaBytes;
  if (bytes == 0 || (m_parts.space.admit(bytes, SpaceGuard::Use::Ordinary) && m_quota.fits(quotaBytes, bytes))) co_return bytes;
  if (isLockFile(m_parts.inodes.path(inode.fileid))) {
    const auto admitted = m_parts.space.admit(bytes, SpaceGuard::Use::Small);
    if (!admitted) co_return fail(admitted.error());
    co_return bytes;
  }
  const auto added = co_await file->newBytes(range);
  if (!added) co_return fail(added.error());
  Result<void> admitted = m_parts.space.admit(*added, SpaceGuard::Use::Ordinary);
  if (admitted) admitted = m_parts.space.admit(bytes, SpaceGuard::Use::Rewrite);
  if (admitted) admitted = co_await m_quota.admit(quotaBytes, *added);
  if (!admitted) co_return fail(admitted.error());
  co_return *added;
}

Task<Result<Change>> ExportedVstorage::commit(const Caller& caller, FileId fileid, uint64_t, uint32_t) {
  const auto inode = regularFile(fileid);
  if (!inode) co_return fail(inode.error());
  if (auto allowed = checkWriteData(caller, *inode); !allowed) co_return fail(allowed.error());
  if (m_parts.health.isReadOnly()) co_return fail(ErrorCode::IoError, "the store is read-only: " + m_parts.health.reason());
  const auto file = m_parts.files.get(fileid);
  const auto synced = co_await makeDurable(file, inode->size);
  if (!synced) co_return fail(withFile(synced.error(), *inode));
  const auto persisted = co_await m_parts.inodes.persistSize(fileid);
  if (!persisted) co_return fail(withFile(persisted.error(), *inode));
  const auto after = getAttributes(fileid);
  if (!after) co_return fail(after.error());
  // A commit changes nothing itself. With attributes from before the sync, the client would take what others wrote meanwhile for its own.
  co_return Change{*after, *after};
}

// What is in RAM without a promise: a little goes into the journal, more at once to its place.
Task<Result<void>> ExportedVstorage::makeDurable(std::shared_ptr<StoredFile> file, uint64_t size) {
  constexpr uint64_t journaledBlocksMax = 256;
  if (live()->settings.writeMode == protocol::WriteMode::Ram) co_return Result<void>();
  const uint64_t count = file->dirty().unjournaledCount();
  if (count > 0 && count <= journaledBlocksMax && m_parts.caches.write().journal()) {
    const auto journaled = co_await file->journalUncommitted(size);
    if (!journaled) co_return journaled;
  } else if (count > 0) {
    const auto destaged = co_await m_parts.destager.destage(file, {.unjournaledOnly = true});
    if (!destaged) co_return fail(destaged.error());
  }
  const auto voided = co_await file->waitVoided();
  if (!voided) co_return voided;
  co_return co_await file->sync();
}

// Large pieces go to their place at once: the journal would only write them twice. Lock files too: they must never wait for room in the cache.
Keep ExportedVstorage::keepFor(const WriteRequest& request, const Inode& inode) const {
  const bool isStable = request.stability != Stability::Unstable;
  const bool isSmall = inode.size <= blockBytes && request.offset + request.data.size() <= blockBytes;
  if (isSmall && isLockFile(m_parts.inodes.path(inode.fileid))) return isStable ? Keep::LandedDurable : Keep::Landed;
  switch (live()->settings.writeMode) {
    case protocol::WriteMode::Ram: return Keep::Unprotected;
    case protocol::WriteMode::Safe:
      if (request.data.size() < directBytesMin && m_parts.caches.write().journal()) return isStable ? Keep::Journaled : Keep::Dirty;
      break;
    case protocol::WriteMode::Through: break;
  }
  return isStable ? Keep::LandedDurable : Keep::Landed;
}

// REQUIRES: one at a time. On return nothing depends on the old mode's promises any more: all is in landing files, and no replay reaches it.
Task<Result<void>> ExportedVstorage::settleWriteMode() {
  const size_t before = m_modeEpoch.fetch_add(1) % 2;
  asio::steady_timer timer(co_await asio::this_coro::executor);
  while (m_inFlight[before].load() > 0) {
    timer.expires_after(std::chrono::milliseconds(2));
    co_await expiry(timer);
  }
  const auto flushed = co_await flush();
  if (!flushed) co_return fail(flushed.error());
  journal::Journal* const journal = m_parts.caches.write().journal();
  if (!journal) co_return Result<void>();
  co_return co_await journal->checkpoint();
}

Task<Result<uint64_t>> ExportedVstorage::flush() {
  const auto isOwn = [this](cache::DirtyFile& file) { return file.dirty().account() == m_account; };
  const cache::Destager::Choice choice = isOwn;
  co_return co_await m_parts.destager.flush(choice);
}

Task<Result<Change>> ExportedVstorage::setAttributes(const Caller& caller, FileId fileid, metadata::AttributeChange change) {
  if (auto writable = checkWritable(); !writable) co_return fail(writable.error());
  const auto inode = change.size ? regularFile(fileid) : getAttributes(fileid);
  if (!inode) co_return fail(inode.error());
  if (change.size.value_or(0) > fileBytesMax) co_return fail(ErrorCode::FileTooBig, "no file may be larger than 64 TiB");
  auto permitted = permittedChange(caller, *inode, std::move(change), m_parts.clock.now());
  if (!permitted) co_return fail(permitted.error());
  // Space is freed by a shortening and not taken by a growth, so both may use the reserve.
  if (auto admitted = admitSmall(); !admitted && !permitted->size) co_return fail(admitted.error());
  if (!permitted->size) co_return co_await m_parts.inodes.setAttributes(fileid, std::move(*permitted));
  auto changed = co_await setSize(fileid, std::move(*permitted));
  if (!changed) co_return fail(withFile(changed.error(), *inode));
  co_return changed;
}

Task<Result<Change>> ExportedVstorage::setSize(FileId fileid, metadata::AttributeChange change) {
  const auto file = m_parts.files.get(fileid);
  const uint64_t size = *change.size;
  for (;;) {
    const auto before = regularFile(fileid);
    if (!before) co_return fail(before.error());
    // A shortening takes the whole file: it voids all journal entries of it, so none may be on its way.
    const uint64_t lockedFrom = size < before->size ? 0 : before->size;
    auto guard = co_await lockForWrite(fileid, file, lockedFrom, toEnd);
    if (!guard) co_return fail(guard.error());
    const auto inode = regularFile(fileid);
    if (!inode) co_return fail(inode.error());
    if (inode->size < lockedFrom) continue;  // shortened meanwhile: the range to lock begins earlier
    if (size < inode->size && lockedFrom > 0) continue;
    if (size < inode->size) co_return co_await shorten(fileid, std::move(change), file);
    if (size > inode->size) {
      const auto zeroed = co_await file->zeroTailLocked(inode->size);
      if (!zeroed) co_return fail(zeroed.error());
    }
    co_return co_await m_parts.inodes.setAttributes(fileid, std::move(change));
  }
}

// REQUIRES: the whole file is locked.
Task<Result<Change>> ExportedVstorage::shorten(FileId fileid, metadata::AttributeChange change, std::shared_ptr<StoredFile> file) {
  const uint64_t size = *change.size;
  const auto destaged = co_await m_parts.destager.destage(file, {.endBlock = alignUp(size, blockBytes) / blockBytes});
  if (!destaged) co_return fail(destaged.error());
  change.journalFloor = m_parts.caches.write().needs().next();
  auto begun = co_await m_parts.inodes.beginTruncate(fileid, std::move(change));
  if (!begun) co_return begun;
  const auto shortened = co_await file->shortenLocked(size);
  if (!shortened) co_return fail(shortened.error());
  m_parts.savings.recipesChanged(fileid);
  const auto ended = co_await m_parts.inodes.endTruncate(fileid);
  if (!ended) co_return fail(ended.error());
  co_return begun;
}

Task<Result<void>> ExportedVstorage::finishTruncate(FileId fileid, std::shared_ptr<StoredFile> file) {
  const auto before = regularFile(fileid);
  if (!before) co_return fail(before.error());
  if (!before->pendingTruncate) co_return Result<void>();
  const auto guard = co_await file->lock(*before->pendingTruncate, toEnd);
  const auto inode = regularFile(fileid);
  if (!inode) co_return fail(inode.error());
  if (!inode->pendingTruncate || *inode->pendingTruncate < *before->pendingTruncate) co_return Result<void>();  // asked again by the caller
  const auto shortened = co_await file->shortenLocked(*inode->pendingTruncate);
  if (!shortened) co_return shortened;
  co_return co_await m_parts.inodes.endTruncate(fileid);
}

}  // namespace quarry
