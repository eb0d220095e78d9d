// SPDX-License-Identifier: GPL-3.0-or-later
// Every tunable of the engine: default, unit, limit. Read once at start; constant afterwards.
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/result.h"

namespace quarry {

struct Options {
  std::string storePath;                  // --store, required
  std::string controlSocket;              // --control; empty: protocol::defaultControlSocket()
  std::string listenAddress = "0.0.0.0";  // --listen, IPv4 or IPv6
  int nfsPort = 2049;                     // --nfs-port; 0: any free port
  int loopThreads = 0;                    // --threads; 0: one for each core
  int workerThreads = 0;                  // hashing, compression and decoding; 0: one for each core
  uint64_t landingFilesMax = 4096;        // open at once; main() takes less when the process may open few files
  uint64_t cacheBytes = 0;                // --cache-size; 0: what was chosen last
  std::string journalFolder;              // --journal; empty: in the store
  uint64_t journalBytes = 0;              // --journal-size, of a journal that is made now; 0: by the size of the cache
  bool makeNewJournal = false;            // --new-journal
  std::string logLevel = "info";          // --log-level
  bool checkOnly = false;                 // --check: report on the store folder as JSON and end
};

inline constexpr int loopThreadsMax = 64;

// Fills in what depends on the machine and checks the limits.
Result<Options> resolved(Options options);

}  // namespace quarry
