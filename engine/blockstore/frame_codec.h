// SPDX-License-Identifier: GPL-3.0-or-later
// A frame: up to four blocks (16 KiB) compressed together with zstd, or kept raw when that saves less than 1/16. Small, because a random
// 4 KiB read must decode all of it; four blocks compress nearly as well as larger frames do.
//
// Threads: an encoder or decoder belongs to one thread at a time; threadEncoder() and threadDecoder() are the calling thread's own, made on
// first use (about 300 KiB). Failure: encode cannot fail; decode says Corrupt and leaves `into` undefined.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/base/bytes.h"
#include "engine/base/result.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace quarry::blockstore {

inline constexpr uint32_t frameBlocksMax = 4;
inline constexpr uint32_t frameBytesMax = frameBlocksMax * blockBytes;

enum class FrameForm : uint8_t { Zstd = 0, Raw = 1 };

struct EncodedFrame {
  uint32_t storedBytes = 0;
  FrameForm form = FrameForm::Raw;
};

class FrameEncoder {
 public:
  FrameEncoder();
  ~FrameEncoder();
  FrameEncoder(const FrameEncoder&) = delete;
  FrameEncoder& operator=(const FrameEncoder&) = delete;

  // `level` is zstd's, 1…19. REQUIRES: into.size() >= blocks.size(), blocks.size() <= frameBytesMax.
  EncodedFrame encode(Bytes blocks, int level, MutableBytes into);

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Free> m_context;
  int m_level = 0;
};

class FrameDecoder {
 public:
  FrameDecoder();
  ~FrameDecoder();
  FrameDecoder(const FrameDecoder&) = delete;
  FrameDecoder& operator=(const FrameDecoder&) = delete;

  // Fills all of `into` or fails.
  Result<void> decode(Bytes stored, FrameForm form, MutableBytes into);

 private:
  struct Free {
    void operator()(ZSTD_DCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_DCtx_s, Free> m_context;
};

FrameEncoder& threadEncoder();
FrameDecoder& threadDecoder();

}  // namespace quarry::blockstore
