// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs3_xdr.h"

#include <algorithm>
#include <limits>

#include "engine/net/record_marking.h"

namespace quarry::nfs {

namespace {
constexpr int64_t nsPerSecond = 1'000'000'000;
constexpr uint32_t modeMask = 07777;

std::optional<uint32_t> readOptionalU32(XdrReader& in) {
  if (!in.boolean()) return std::nullopt;
  return in.u32();
}

// set_atime and set_mtime: leave, the server's time, or the client's.
std::optional<Timestamp> readSetTime(XdrReader& in, Timestamp now) {
  switch (in.u32()) {
    case 0: return std::nullopt;
    case 1: return now;
    case 2: return readTime(in);
    default: in.setFailed(); return std::nullopt;
  }
}

// Without holes. Counted every few seconds and all of it until then, and never nothing for a file with bytes: there are programs that copy a file
// without used blocks as one hole.
uint64_t usedBytes(const Inode& inode) {
  const uint64_t whole = alignUp(inode.size, blockBytes);
  if (!inode.usedBytes || whole == 0) return whole;
  return std::clamp(alignUp(*inode.usedBytes, blockBytes), blockBytes, whole);
}

// nfstime3 counts unsigned seconds from 1970.
void writeTime(XdrWriter& out, Timestamp time) {
  const int64_t ns = std::clamp<int64_t>(time.unixNs, 0, std::numeric_limits<uint32_t>::max() * nsPerSecond);
  out.u32(static_cast<uint32_t>(ns / nsPerSecond));
  out.u32(static_cast<uint32_t>(ns % nsPerSecond));
}
}  // namespace

std::string_view readName(XdrReader& in) { return in.string(net::recordBytesMax); }

Timestamp readTime(XdrReader& in) {
  const uint32_t seconds = in.u32(), ns = in.u32();
  if (ns >= nsPerSecond) in.setFailed();
  return {seconds * nsPerSecond + ns};
}

metadata::AttributeChange readSetAttributes(XdrReader& in, const Clock& clock) {
  metadata::AttributeChange change;
  change.mode = readOptionalU32(in);
  if (change.mode) *change.mode &= modeMask;
  change.uid = readOptionalU32(in);
  change.gid = readOptionalU32(in);
  if (in.boolean()) change.size = in.u64();
  const Timestamp now = clock.now();
  change.accessed = readSetTime(in, now);
  change.modified = readSetTime(in, now);
  return change;
}

void writeStatus(XdrWriter& out, Nfsstat3 status) { out.u32(static_cast<uint32_t>(status)); }

void writeAttributes(XdrWriter& out, const Inode& inode) {
  out.u32(static_cast<uint32_t>(inode.type));
  out.u32(inode.mode);
  out.u32(inode.linkCount);
  out.u32(inode.uid);
  out.u32(inode.gid);
  out.u64(inode.size);
  out.u64(usedBytes(inode));
  out.u32(inode.deviceMajor);
  out.u32(inode.deviceMinor);
  out.u64(inode.vstorage);                   // fsid
  out.u64(inode.fileid);
  writeTime(out, inode.accessed);
  writeTime(out, inode.modified);
  writeTime(out, inode.changed);
}

void writePostOp(XdrWriter& out, const std::optional<Inode>& inode) {
  out.boolean(inode.has_value());
  if (inode) writeAttributes(out, *inode);
}

void writePostOpHandle(XdrWriter& out, const EncodedHandle& handle) {
  out.boolean(true);
  out.opaque(handle);
}

void writeWcc(XdrWriter& out, const Change& change) {
  out.boolean(true);
  out.u64(change.before.size);
  writeTime(out, change.before.modified);
  writeTime(out, change.before.changed);
  writePostOp(out, change.after);
}

void writeWccAfterFailure(XdrWriter& out, const std::optional<Inode>& after) {
  out.boolean(false);
  writePostOp(out, after);
}

AcceptStat failPlain(XdrWriter& out, const Error& error) {
  writeStatus(out, toNfsStatus(error.code));
  return AcceptStat::Success;
}

AcceptStat failPostOp(XdrWriter& out, const Error& error, const Result<Target>& target) {
  writeStatus(out, toNfsStatus(error.code));
  writePostOp(out, attributesNow(target));
  return AcceptStat::Success;
}

AcceptStat failWcc(XdrWriter& out, const Error& error, const Result<Target>& target) {
  writeStatus(out, toNfsStatus(error.code));
  writeWccAfterFailure(out, attributesNow(target));
  return AcceptStat::Success;
}

}  // namespace quarry::nfs
