// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs3_directory_reply.h"

#include <algorithm>

namespace quarry::nfs {

namespace {
constexpr size_t entriesPerPage = 128;
// Around the entries: attributes of the directory, cookie verifier, the end mark of the list, eof.
constexpr size_t frameBytes = postOpAttributesBytes + 8 + 4 + 4;
constexpr size_t handleResultBytes = 4 + 4 + rpc::xdrPadded(handleBytes);

// What an entry counts against dircount.
size_t nameBytes(const DirectoryPage::Entry& entry) { return 8 + 4 + rpc::xdrPadded(entry.name.size()) + 8; }

size_t entryBytes(const DirectoryPage::Entry& entry, DirectoryDetail detail) {
  const size_t plain = 4 + nameBytes(entry);
  return detail == DirectoryDetail::Names ? plain : plain + postOpAttributesBytes + handleResultBytes;
}

void writeEntry(const NfsService& service, const DirectoryPage::Entry& entry, DirectoryDetail detail, XdrWriter& out) {
  out.boolean(true);  // an entry follows
  out.u64(entry.inode.fileid);
  out.string(entry.name);
  out.u64(entry.cookie);
  if (detail == DirectoryDetail::Names) return;
  writePostOp(out, entry.inode);
  writePostOpHandle(out, service.handleOf(entry.inode));
}

// What is still free of the client's two limits.
struct Budget {
  size_t nameBytes, resultBytes;

  bool take(const DirectoryPage::Entry& entry, DirectoryDetail detail) {
    const size_t names = nfs::nameBytes(entry), result = entryBytes(entry, detail);
    if (names > nameBytes || result > resultBytes) return false;
    nameBytes -= names;
    resultBytes -= result;
    return true;
  }
};
}  // namespace

Result<void> writeDirectory(const NfsService& service, const Target& target, const DirectoryQuery& query, DirectoryDetail detail, XdrWriter& out) {
  if (auto allowed = checkDirectory(target.inode); !allowed) return allowed;
  const size_t resultBytes = std::min(query.resultBytesMax, directoryBytesMax);
  if (resultBytes < frameBytes) return fail(ErrorCode::TooSmall, "no room for a listing");
  Budget budget{query.nameBytesMax, resultBytes - frameBytes};
  writeStatus(out, Nfsstat3::Ok);
  writePostOp(out, target.inode);
  out.u64(0);  // cookie verifier: always the same, for cookies stay valid
  uint64_t cookie = query.cookie;
  size_t entryCount = 0;
  bool atEnd = false, full = false;
  while (!atEnd && !full) {
    const Result<DirectoryPage> page = target.vstorage->readDirectory(target.caller, target.inode.fileid, cookie, entriesPerPage);
    if (!page) return fail(page.error());
    for (const DirectoryPage::Entry& entry : page->entries) {
      full = !budget.take(entry, detail);
      if (full) break;
      writeEntry(service, entry, detail, out);
      cookie = entry.cookie;
      ++entryCount;
    }
    atEnd = !full && (page->atEnd || page->entries.empty());
  }
  if (entryCount == 0 && !atEnd) return fail(ErrorCode::TooSmall, "no room for one entry");
  out.boolean(false);  // no entry follows
  out.boolean(atEnd);
  return {};
}

AcceptStat replyDirectory(const NfsService& service, const Result<Target>& target, const DirectoryQuery& query, DirectoryDetail detail, rpc::Reply& reply) {
  XdrWriter& out = reply.results();
  if (!target) return failPostOp(out, target.error(), target);
  const size_t start = reply.headBytes();
  const Result<void> written = writeDirectory(service, *target, query, detail, out);
  if (written) return AcceptStat::Success;
  reply.rewind(start);
  return failPostOp(out, written.error(), target);
}

}  // namespace quarry::nfs
