-- SPDX-License-Identifier: GPL-3.0-or-later
-- history.db: rings of statistics, records of jobs, events. Records are JSON text.
CREATE TABLE rings (name TEXT PRIMARY KEY, contents BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE jobs (id INTEGER PRIMARY KEY, record TEXT NOT NULL);
CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, record TEXT NOT NULL);
