// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/file_handle.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>

#include "engine/base/check.h"

namespace quarry::nfs {

namespace {
constexpr std::byte handleVersion{1};
constexpr size_t storeIdAt = 1, vstorageAt = 17, fileidAt = 21, generationAt = 29, tagAt = 33;
static_assert(tagAt + sizeof(SipTag) == handleBytes);

// A key of its own, so that handles tell nothing about the store's other uses of the secret.
SipKey deriveKey(Bytes storeKey) {
  static constexpr std::string_view purpose = "quarry file handle 1";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  const auto* made = HMAC(EVP_sha256(), storeKey.data(), static_cast<int>(storeKey.size()), reinterpret_cast<const unsigned char*>(purpose.data()),
                          purpose.size(), digest.data(), &size);
  QUARRY_CHECK(made && size >= sizeof(SipKey));
  SipKey key;
  std::memcpy(key.data(), digest.data(), key.size());
  return key;
}
}  // namespace

HandleCodec::HandleCodec(const StoreId& storeId, Bytes storeKey) : m_storeId(storeId), m_key(deriveKey(storeKey)) {}

EncodedHandle HandleCodec::encode(const FileHandle& handle) const {
  EncodedHandle bytes;
  bytes[0] = handleVersion;
  std::copy(m_storeId.begin(), m_storeId.end(), bytes.begin() + storeIdAt);
  storeLittle(bytes.data() + vstorageAt, handle.vstorage);
  storeLittle(bytes.data() + fileidAt, handle.fileid);
  storeLittle(bytes.data() + generationAt, handle.generation);
  const SipTag tag = sipHash128(m_key, Bytes(bytes).first(tagAt));
  std::copy(tag.begin(), tag.end(), bytes.begin() + tagAt);
  return bytes;
}

Result<FileHandle> HandleCodec::decode(Bytes bytes) const {
  if (bytes.size() != handleBytes || bytes[0] != handleVersion) return fail(ErrorCode::BadHandle, "not a file handle of Quarry");
  const SipTag tag = sipHash128(m_key, bytes.first(tagAt));
  if (CRYPTO_memcmp(tag.data(), bytes.data() + tagAt, tag.size()) != 0) return fail(ErrorCode::BadHandle, "not a file handle of this store");
  if (std::memcmp(bytes.data() + storeIdAt, m_storeId.data(), m_storeId.size()) != 0) return fail(ErrorCode::BadHandle, "a file handle of another store");
  return FileHandle{loadLittle<uint32_t>(bytes.data() + vstorageAt), loadLittle<uint64_t>(bytes.data() + fileidAt),
                    loadLittle<uint32_t>(bytes.data() + generationAt)};
}

}  // namespace quarry::nfs
