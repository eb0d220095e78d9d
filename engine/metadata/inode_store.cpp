// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/inode_store.h"

#include <algorithm>

namespace quarry::metadata::inode_store {

namespace {

std::optional<Bytes> verifierBytes(const Inode& inode) {
  if (!inode.createVerifier) return std::nullopt;
  return Bytes(*inode.createVerifier);
}

Inode readInode(const Statement& row) {
  int column = 0;
  const auto next = [&] { return row.unsignedInteger(column++); };
  const auto next32 = [&] { return static_cast<uint32_t>(row.unsignedInteger(column++)); };
  Inode inode;
  inode.fileid = next();
  inode.vstorage = next32();
  inode.generation = next32();
  inode.type = static_cast<FileType>(next32());
  inode.mode = next32();
  inode.uid = next32();
  inode.gid = next32();
  inode.linkCount = next32();
  inode.size = next();
  inode.accessed.unixNs = row.integer(column++);
  inode.modified.unixNs = row.integer(column++);
  inode.changed.unixNs = row.integer(column++);
  inode.deviceMajor = next32();
  inode.deviceMinor = next32();
  inode.parent = next();
  if (!row.isNull(column)) inode.pendingTruncate = row.unsignedInteger(column);
  ++column;
  if (const Bytes verifier = row.blob(column); verifier.size() == 8) {
    inode.createVerifier.emplace();
    std::copy(verifier.begin(), verifier.end(), inode.createVerifier->begin());
  }
  column += 2;  // over the symlink's target
  inode.journalFloor = row.unsignedInteger(column);
  return inode;
}

Result<void> loadInodes(Database& database, InodeIndex& index) {
  auto rows = database.prepare(
      "SELECT fileid, vstorage, generation, type, mode, uid, gid, link_count, size, accessed, modified, changed, device_major, device_minor,"
      " parent, pending_truncate, create_verifier, symlink_target, journal_floor FROM inodes");
  if (!rows) return fail(rows.error());
  while (true) {
    auto row = rows->step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    index.addInode(readInode(*rows), rows->text(17));
  }
}

Result<void> loadEntries(Database& database, InodeIndex& index) {
  auto rows = database.prepare("SELECT cookie, directory, name, fileid FROM entries ORDER BY cookie");
  if (!rows) return fail(rows.error());
  while (true) {
    auto row = rows->step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    EntryValue value{rows->text(2), rows->unsignedInteger(3)};
    const FileId directory = rows->unsignedInteger(1);
    const InodeRecord* parent = index.find(directory);
    const bool good = parent && parent->directory && index.find(value.fileid) && !parent->directory->cookieOf(value.name);
    if (!good) return fail(ErrorCode::Corrupt, database.path() + " is damaged: the entry \"" + value.name + "\" contradicts other rows");
    index.addEntry(directory, rows->unsignedInteger(0), std::move(value));
  }
}

Result<void> loadCounters(Database& database, InodeIndex& index) {
  auto rows = database.prepare("SELECT name, value FROM counters");
  if (!rows) return fail(rows.error());
  while (true) {
    auto row = rows->step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    const std::string name = rows->text(0);
    if (name == "next_fileid") index.nextFileid = rows->unsignedInteger(1);
    if (name == "kept_below") index.keptBelow = rows->unsignedInteger(1);
    if (name == "next_cookie") index.nextCookie = rows->unsignedInteger(1);
    if (name == "next_vstorage") index.nextVstorage = static_cast<VstorageId>(rows->integer(1));
    if (name == "changed_floor") index.changedFloor.unixNs = rows->integer(1);
  }
}

Result<void> loadVstorages(Database& database, InodeIndex& index) {
  auto rows = database.prepare("SELECT id, name, root, settings FROM vstorages");
  if (!rows) return fail(rows.error());
  while (true) {
    auto row = rows->step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    const VstorageRow vstorage{static_cast<VstorageId>(rows->integer(0)), rows->text(1), rows->unsignedInteger(2), rows->text(3)};
    const InodeRecord* root = index.find(vstorage.root);
    if (!root || !root->directory) return fail(ErrorCode::Corrupt, database.path() + " is damaged: the vstorage " + vstorage.name + " has no root");
    index.vstorages.emplace(vstorage.id, vstorage);
  }
}

}  // namespace

Result<InodeIndex> load(Database& database) {
  InodeIndex index;
  for (const auto part : {&loadCounters, &loadInodes, &loadEntries, &loadVstorages}) {
    if (auto loaded = part(database, index); !loaded) return fail(loaded.error());
  }
  return index;
}

Result<void> insertInode(Database& database, const Inode& i, std::string_view symlinkTarget) {
  const std::optional<std::string_view> target = i.type == FileType::Symlink ? std::optional(symlinkTarget) : std::nullopt;
  return database.run("INSERT INTO inodes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", i.fileid, i.vstorage, i.generation,
                      static_cast<uint32_t>(i.type), i.mode, i.uid, i.gid, i.linkCount, i.size, i.accessed.unixNs, i.modified.unixNs,
                      i.changed.unixNs, i.deviceMajor, i.deviceMinor, i.parent, i.pendingTruncate, verifierBytes(i), target, i.journalFloor);
}

Result<void> updateInode(Database& database, const Inode& i) {
  return database.run(
      "UPDATE inodes SET mode = ?, uid = ?, gid = ?, link_count = ?, size = ?, accessed = ?, modified = ?, changed = ?, parent = ?,"
      " pending_truncate = ?, create_verifier = ?, journal_floor = ? WHERE fileid = ?",
      i.mode, i.uid, i.gid, i.linkCount, i.size, i.accessed.unixNs, i.modified.unixNs, i.changed.unixNs, i.parent, i.pendingTruncate,
      verifierBytes(i), i.journalFloor, i.fileid);
}

Result<void> deleteInode(Database& database, FileId fileid) { return database.run("DELETE FROM inodes WHERE fileid = ?", fileid); }

Result<void> insertEntry(Database& database, FileId directory, uint64_t cookie, std::string_view name, FileId fileid) {
  return database.run("INSERT INTO entries VALUES (?, ?, ?, ?)", cookie, directory, name, fileid);
}

Result<void> setEntryTarget(Database& database, uint64_t cookie, FileId fileid) {
  return database.run("UPDATE entries SET fileid = ? WHERE cookie = ?", fileid, cookie);
}

Result<void> deleteEntry(Database& database, uint64_t cookie) { return database.run("DELETE FROM entries WHERE cookie = ?", cookie); }

Result<void> setCounter(Database& database, std::string_view name, uint64_t value) {
  return database.run("UPDATE counters SET value = ? WHERE name = ?", value, name);
}

Result<void> insertVstorage(Database& database, const VstorageRow& row) {
  return database.run("INSERT INTO vstorages VALUES (?, ?, ?, ?)", row.id, std::string_view(row.name), row.root, std::string_view(row.settings));
}

Result<void> updateVstorageSettings(Database& database, VstorageId id, std::string_view settings) {
  return database.run("UPDATE vstorages SET settings = ? WHERE id = ?", settings, id);
}

Result<void> deleteVstorage(Database& database, VstorageId id) {
  auto entries = database.run("DELETE FROM entries WHERE directory IN (SELECT fileid FROM inodes WHERE vstorage = ?)", id);
  if (!entries) return entries;
  if (auto inodes = database.run("DELETE FROM inodes WHERE vstorage = ?", id); !inodes) return inodes;
  return database.run("DELETE FROM vstorages WHERE id = ?", id);
}

}  // namespace quarry::metadata::inode_store
