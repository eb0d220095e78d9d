// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/blockstore/frame_codec.h"

#include <zstd.h>

#include "engine/base/check.h"

namespace quarry::blockstore {

void FrameEncoder::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }
void FrameDecoder::Free::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

FrameEncoder::FrameEncoder() : m_context(ZSTD_createCCtx()) { QUARRY_CHECK(m_context != nullptr); }
FrameEncoder::~FrameEncoder() = default;

EncodedFrame FrameEncoder::encode(Bytes blocks, int level, MutableBytes into) {
  QUARRY_CHECK(!blocks.empty() && blocks.size() <= frameBytesMax && into.size() >= blocks.size());
  if (level != m_level) {
    QUARRY_CHECK(!ZSTD_isError(ZSTD_CCtx_setParameter(m_context.get(), ZSTD_c_compressionLevel, level)));
    m_level = level;
  }
  // A capacity of 15/16 makes zstd give up early on what does not compress.
  const size_t capacity = blocks.size() - blocks.size() / 16;
  const size_t stored = ZSTD_compress2(m_context.get(), into.data(), capacity, blocks.data(), blocks.size());
  if (!ZSTD_isError(stored)) return {.storedBytes = static_cast<uint32_t>(stored), .form = FrameForm::Zstd};
  std::memcpy(into.data(), blocks.data(), blocks.size());
  return {.storedBytes = static_cast<uint32_t>(blocks.size()), .form = FrameForm::Raw};
}

FrameDecoder::FrameDecoder() : m_context(ZSTD_createDCtx()) { QUARRY_CHECK(m_context != nullptr); }
FrameDecoder::~FrameDecoder() = default;

Result<void> FrameDecoder::decode(Bytes stored, FrameForm form, MutableBytes into) {
  if (form == FrameForm::Raw) {
    if (stored.size() != into.size()) return fail(ErrorCode::Corrupt, "a raw frame has the wrong length");
    std::memcpy(into.data(), stored.data(), stored.size());
    return {};
  }
  const size_t decoded = ZSTD_decompressDCtx(m_context.get(), into.data(), into.size(), stored.data(), stored.size());
  if (ZSTD_isError(decoded)) return fail(ErrorCode::Corrupt, std::string("cannot be decompressed: ") + ZSTD_getErrorName(decoded));
  if (decoded != into.size()) return fail(ErrorCode::Corrupt, "decompresses to the wrong length");
  return {};
}

FrameEncoder& threadEncoder() {
  thread_local FrameEncoder encoder;
  return encoder;
}

FrameDecoder& threadDecoder() {
  thread_local FrameDecoder decoder;
  return decoder;
}

}  // namespace quarry::blockstore
