-- SPDX-License-Identifier: GPL-3.0-or-later
-- namespace.db: vstorages, inodes, directory entries, settings. Times are nanoseconds since 1970-01-01 UTC.
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE vstorages (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, root INTEGER NOT NULL, settings TEXT NOT NULL);
CREATE TABLE inodes (
  fileid INTEGER PRIMARY KEY, vstorage INTEGER NOT NULL, generation INTEGER NOT NULL, type INTEGER NOT NULL, mode INTEGER NOT NULL,
  uid INTEGER NOT NULL, gid INTEGER NOT NULL, link_count INTEGER NOT NULL, size INTEGER NOT NULL,
  accessed INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL,
  device_major INTEGER NOT NULL, device_minor INTEGER NOT NULL, parent INTEGER NOT NULL,
  pending_truncate INTEGER, create_verifier BLOB, symlink_target TEXT, journal_floor INTEGER NOT NULL DEFAULT 0);
-- The cookie of an entry is its place in listings; never reused.
CREATE TABLE entries (cookie INTEGER PRIMARY KEY, directory INTEGER NOT NULL, name TEXT NOT NULL, fileid INTEGER NOT NULL);
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO counters VALUES ('next_cookie', 3), ('next_fileid', 2), ('next_vstorage', 1), ('changed_floor', 0);
