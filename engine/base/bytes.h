// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes in memory: views, an aligned buffer for O_DIRECT, and little-endian helpers for our disk formats (the wire's
// big-endian XDR has its own reader and writer in rpc/xdr.h).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>

namespace quarry {

using Bytes = std::span<const std::byte>;
using MutableBytes = std::span<std::byte>;

inline constexpr uint64_t blockBytes = 4096;                     // the grain of dedup, holes and O_DIRECT
inline constexpr uint64_t segmentBytes = 4 * 1024 * 1024;        // the grain of recipes and of age
inline constexpr uint64_t segmentBlocks = segmentBytes / blockBytes;
static_assert(segmentBytes % blockBytes == 0);

constexpr uint64_t alignDown(uint64_t value, uint64_t grain) { return value / grain * grain; }
constexpr uint64_t alignUp(uint64_t value, uint64_t grain) { return (value + grain - 1) / grain * grain; }

inline Bytes asBytes(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }
inline std::string_view asText(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// True when every byte is zero.
inline bool isZero(Bytes bytes) {
  if (bytes.empty()) return true;
  return bytes[0] == std::byte{0} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

// A heap buffer aligned to 4 KiB, as O_DIRECT wants it. Contents are uninitialised. Move only.
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(size_t size)
      : m_data(static_cast<std::byte*>(std::aligned_alloc(blockBytes, alignUp(size == 0 ? 1 : size, blockBytes)))), m_size(size) {
    if (!m_data) throw std::bad_alloc();
  }

  std::byte* data() { return m_data.get(); }
  const std::byte* data() const { return m_data.get(); }
  size_t size() const { return m_size; }
  MutableBytes bytes() { return {m_data.get(), m_size}; }
  Bytes bytes() const { return {m_data.get(), m_size}; }
  void clear() { std::memset(m_data.get(), 0, m_size); }

 private:
  struct Free {
    void operator()(std::byte* pointer) const { std::free(pointer); }
  };
  std::unique_ptr<std::byte, Free> m_data;
  size_t m_size = 0;
};

template <class T>
  requires std::is_unsigned_v<T>
T loadLittle(const std::byte* from) {
  static_assert(std::endian::native == std::endian::little, "store formats are little-endian");
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
  requires std::is_unsigned_v<T>
void storeLittle(std::byte* to, T value) {
  static_assert(std::endian::native == std::endian::little, "store formats are little-endian");
  std::memcpy(to, &value, sizeof value);
}

}  // namespace quarry
