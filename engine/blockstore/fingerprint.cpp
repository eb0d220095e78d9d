// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/blockstore/fingerprint.h"

#include <openssl/evp.h>

#include "engine/base/check.h"

namespace quarry::blockstore {

void Fingerprinter::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Fingerprinter::Fingerprinter(const StoreKey& key) : m_key(key), m_context(EVP_MD_CTX_new()) {
  QUARRY_CHECK(m_context != nullptr);
  QUARRY_CHECK(EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) == 1);
}

Fingerprinter::~Fingerprinter() = default;

// Starting the same context again costs no look-up of the algorithm and no memory; copying one with the key already in it does.
Fingerprint Fingerprinter::operator()(Bytes block) {
  std::array<unsigned char, 32> digest;
  EVP_MD_CTX* context = m_context.get();
  QUARRY_CHECK(EVP_DigestInit_ex(context, nullptr, nullptr) == 1 && EVP_DigestUpdate(context, m_key.data(), m_key.size()) == 1 &&
               EVP_DigestUpdate(context, block.data(), block.size()) == 1 && EVP_DigestFinal_ex(context, digest.data(), nullptr) == 1);
  Fingerprint fingerprint;
  std::memcpy(fingerprint.data(), digest.data(), fingerprint.size());
  return fingerprint;
}

}  // namespace quarry::blockstore
