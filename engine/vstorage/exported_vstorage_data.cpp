// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

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
}  // namespace

Error ExportedVstorage::withFile(Error error, const Inode& inode) const {
  error.message = m_name + "/" + m_parts.inodes.path(inode.fileid) + ": " + error.message;
  if (const auto vm = m_parts.vms.owner(inode)) error.message = "VM " + vm->name + ": " + error.message;
  m_parts.health.noteDamage(error);
  return error;
}

void ExportedVstorage::record(const Inode& inode, IoKind kind, uint64_t bytes, std::chrono::steady_clock::time_point begun) {
  const auto latency = m_parts.clock.steady() - begun;
  m_engineRecorder->record(kind, bytes, latency);
  m_recorder->record(kind, bytes, latency);
  if (const auto vm = m_parts.vms.owner(inode)) vm->recorder->record(kind, bytes, latency);
}

Task<Result<ReadReply>> ExportedVstorage::read(const Caller& caller, FileId fileid, uint64_t offset, uint32_t count) {
  const auto begun = m_parts.clock.steady();
  for (;;) {
    const auto inode = regularFile(fileid);
    if (!inode) co_return fail(inode.error());
    if (auto allowed = checkReadData(caller, *inode); !allowed) co_return fail(allowed.error());
    auto reply = co_await readOnce(*inode, offset, count);
    if (!reply) co_return fail(withFile(reply.error(), *inode));
    const auto after = m_parts.inodes.get(fileid);
    if (!after) co_return fail(ErrorCode::Stale, "the file is gone");  // and its data with it, perhaps before it was read
    // Shortened meanwhile: what was read may be zeros that the file never held.
    if (after->truncateCounter != inode->truncateCounter) continue;
    // Extended meanwhile: an end of file beside attributes that say it goes on would be a contradiction.
    if (reply->eof && after->size > inode->size) continue;
    if (reply->count == 0) co_return reply;
    m_parts.inodes.touchRead(fileid);
    reply->inode = *after;
    if (const auto touched = m_parts.inodes.get(fileid)) reply->inode.accessed = touched->accessed;
    record(*inode, IoKind::Read, reply->count, begun);
    co_return reply;
  }
}

Task<Result<ReadReply>> ExportedVstorage::readOnce(const Inode& inode, uint64_t offset, uint32_t count) {
  ReadReply reply;
  reply.inode = inode;
  if (offset < inode.size) reply.count = static_cast<uint32_t>(std::min<uint64_t>({count, readBytesMax, inode.size - offset}));
  reply.eof = offset >= inode.size || offset + reply.count == inode.size;
  if (reply.count == 0) co_return reply;

  const uint64_t begin = alignDown(offset, blockBytes);
  reply.bufferOffset = static_cast<uint32_t>(offset - begin);
  reply.buffer = AlignedBuffer(alignUp(offset + reply.count, blockBytes) - begin);
  const auto file = m_parts.files.get(inode.fileid);
  const auto read = co_await file->read(begin, reply.buffer.bytes());
  if (!read) co_return fail(read.error());
  co_return reply;
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
  auto guard = co_await lockForWrite(request.fileid, file, request.offset, request.offset + request.data.size());
  if (!guard) co_return fail(withFile(guard.error(), *inode));
  auto written = co_await writeUnderLock(request.fileid, request, file, *guard);
  if (!written) co_return fail(withFile(written.error(), *inode));
  if (request.stability != Stability::Unstable) {
    const auto persisted = co_await m_parts.inodes.persistSize(request.fileid);
    if (!persisted) co_return fail(withFile(persisted.error(), *inode));
  }
  record(*inode, IoKind::Write, request.data.size(), begun);
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
Task<Result<WriteReply>> ExportedVstorage::writeUnderLock(FileId fileid, const WriteRequest& request, std::shared_ptr<StoredFile> file,
                                                          os::RangeLock::Guard& guard) {
  const os::RangeLock::Guard held = std::move(guard);
  const auto inode = regularFile(fileid);
  if (!inode) co_return fail(inode.error());
  const uint64_t begin = alignDown(request.offset, blockBytes), end = request.offset + request.data.size();
  const auto admitted = co_await admit(*inode, file, {begin, alignUp(end, blockBytes) - begin});
  if (!admitted) co_return fail(admitted.error());

  const bool isStable = request.stability != Stability::Unstable;
  const auto landed = co_await file->writeLocked(request.offset, request.data, isStable ? os::Durability::Durable : os::Durability::None);
  if (!landed) {
    m_parts.inodes.touchWritten(fileid, 0);  // part of the range may be new: caches of other hosts must notice
    co_return fail(landed.error());
  }
  m_quota.noteLanded(std::min(*landed * blockBytes, *admitted));
  auto change = m_parts.inodes.touchWritten(fileid, end);
  if (!change) co_return fail(change.error());
  co_return WriteReply{std::move(*change), static_cast<uint32_t>(request.data.size()), isStable ? Stability::FileSync : Stability::Unstable};
}

// Returns how much of what lands counts for the quota. Lock files may use the reserve, and no quota stops them or keeps them waiting: a
// host that cannot write its lock stops the VM. Blocks that a recipe holds are in the file already: writing them again adds nothing to it, and is
// what the reserve is for.
Task<Result<uint64_t>> ExportedVstorage::admit(const Inode& inode, std::shared_ptr<StoredFile> file, os::ByteRange range) {
  const uint64_t bytes = range.length - file->landing().landedCountIn(range) * blockBytes;
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
  const auto synced = co_await m_parts.files.get(fileid)->sync();
  if (!synced) co_return fail(withFile(synced.error(), *inode));
  const auto persisted = co_await m_parts.inodes.persistSize(fileid);
  if (!persisted) co_return fail(withFile(persisted.error(), *inode));
  const auto after = getAttributes(fileid);
  if (!after) co_return fail(after.error());
  // A commit changes nothing itself. With attributes from before the sync, the client would take what others wrote meanwhile for its own.
  co_return Change{*after, *after};
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
    const uint64_t lockedFrom = std::min(size, before->size);
    auto guard = co_await lockForWrite(fileid, file, lockedFrom, toEnd);
    if (!guard) co_return fail(guard.error());
    const auto inode = regularFile(fileid);
    if (!inode) co_return fail(inode.error());
    if (inode->size < lockedFrom) continue;  // shortened meanwhile: the range to lock begins earlier
    if (size < inode->size) co_return co_await shorten(fileid, std::move(change), file);
    if (size > inode->size) {
      const auto zeroed = co_await file->zeroTailLocked(inode->size);
      if (!zeroed) co_return fail(zeroed.error());
    }
    co_return co_await m_parts.inodes.setAttributes(fileid, std::move(change));
  }
}

// REQUIRES: everything from the new size on is locked.
Task<Result<Change>> ExportedVstorage::shorten(FileId fileid, metadata::AttributeChange change, std::shared_ptr<StoredFile> file) {
  const uint64_t size = *change.size;
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
