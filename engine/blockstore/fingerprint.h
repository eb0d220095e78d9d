// SPDX-License-Identifier: GPL-3.0-or-later
// The identity of a block: the first 16 bytes of SHA-256(store key || block). Keyed, so that nobody who writes into a VM can prepare two
// blocks that collide or guess from timing what other VMs hold; equal fingerprints are therefore taken as equal blocks.
//
// Threads: a Fingerprinter belongs to one thread at a time; making one costs about a microsecond. Cannot fail (libcrypto's SHA-256 is always
// there; a failure is our own fault and stops the engine).
#pragma once

#include <memory>

#include "engine/base/bytes.h"
#include "engine/blockstore/block_store.h"

struct evp_md_ctx_st;

namespace quarry::blockstore {

class Fingerprinter {
 public:
  explicit Fingerprinter(const StoreKey& key);
  ~Fingerprinter();
  Fingerprinter(const Fingerprinter&) = delete;
  Fingerprinter& operator=(const Fingerprinter&) = delete;

  Fingerprint operator()(Bytes block);

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  const StoreKey m_key;
  std::unique_ptr<evp_md_ctx_st, Free> m_context;
};

// One fingerprint in 16 is a hook: kept in the index that leads to containers. Chosen by bits that nothing else uses for placement.
inline bool isHook(const Fingerprint& fingerprint) { return (fingerprint[15] & std::byte{0x0f}) == std::byte{0}; }

// The first 8 bytes: uniformly distributed, so good as a hash as they are.
inline uint64_t prefix(const Fingerprint& fingerprint) { return loadLittle<uint64_t>(fingerprint.data()); }

}  // namespace quarry::blockstore
