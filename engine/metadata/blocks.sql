-- SPDX-License-Identifier: GPL-3.0-or-later
-- blocks.db: recipes, hooks, containers. A hook's key is the first 8 bytes of the fingerprint, little-endian.
CREATE TABLE recipes (
  fileid INTEGER NOT NULL, segment INTEGER NOT NULL, block_count INTEGER NOT NULL, recipe BLOB NOT NULL, PRIMARY KEY (fileid, segment)) WITHOUT ROWID;
-- What a start of the engine reads of all recipes. Since format 2.
CREATE INDEX recipes_blocks ON recipes (fileid, block_count);
CREATE TABLE hooks (key INTEGER PRIMARY KEY, block INTEGER NOT NULL);
CREATE TABLE containers (
  number INTEGER PRIMARY KEY, frame_count INTEGER NOT NULL, block_count INTEGER NOT NULL, file_bytes INTEGER NOT NULL, raw_bytes INTEGER NOT NULL);
