// SPDX-License-Identifier: GPL-3.0-or-later
// SQLite's files on the simulated disk: a VFS (https://sqlite.org/vfs.html) for paths below a SimLogDisk's root. Behaves as SQLite's own one for
// Unix does where a power cut can tell: what it promises of the device, and the folder synced with the first sync of a new log. The
// WAL's index is plain memory, which a cut takes away.
//
// Threads: as SQLite's own. Ownership: registered once, for the whole process and for good.
#pragma once

namespace quarry::test {

// From now on SQLite opens every database on a SimLogDisk.
void useSimulatedSqlite();

}  // namespace quarry::test
