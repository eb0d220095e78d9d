// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rpc/xdr.h"

#include <limits>

#include "engine/base/check.h"

namespace quarry::rpc {

namespace {
template <class T>
T loadBig(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
  else return __builtin_bswap64(value);
}

template <class T>
void appendBig(std::vector<std::byte>& bytes, T value) {
  const T swapped = loadBig<T>(reinterpret_cast<const std::byte*>(&value));
  const size_t at = bytes.size();
  bytes.resize(at + sizeof swapped);
  std::memcpy(bytes.data() + at, &swapped, sizeof swapped);
}

static_assert(std::endian::native == std::endian::little);
}  // namespace

Bytes XdrReader::take(size_t size) {
  if (m_failed || size > m_bytes.size() - m_at) {
    m_failed = true;
    return {};
  }
  const Bytes taken = m_bytes.subspan(m_at, size);
  m_at += size;
  return taken;
}

uint32_t XdrReader::u32() {
  const Bytes bytes = take(4);
  return bytes.empty() ? 0 : loadBig<uint32_t>(bytes.data());
}

uint64_t XdrReader::u64() {
  const Bytes bytes = take(8);
  return bytes.empty() ? 0 : loadBig<uint64_t>(bytes.data());
}

bool XdrReader::boolean() {
  const uint32_t value = u32();
  if (value > 1) m_failed = true;
  return value == 1 && !m_failed;
}

Bytes XdrReader::fixedOpaque(size_t size) {
  const Bytes bytes = take(size);
  take(xdrPadded(size) - size);
  return m_failed ? Bytes() : bytes;
}

Bytes XdrReader::opaque(size_t sizeMax) {
  const size_t size = u32();
  if (size > sizeMax) m_failed = true;
  return m_failed ? Bytes() : fixedOpaque(size);
}

void XdrWriter::u32(uint32_t value) { appendBig(m_bytes, value); }
void XdrWriter::u64(uint64_t value) { appendBig(m_bytes, value); }

void XdrWriter::fixedOpaque(Bytes bytes) {
  m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
  zeros(xdrPadded(bytes.size()) - bytes.size());
}

void XdrWriter::opaque(std::span<const Bytes> pieces, size_t size) {
  m_bytes.reserve(m_bytes.size() + sizeof(uint32_t) + xdrPadded(size));
  u32(static_cast<uint32_t>(size));
  for (const Bytes piece : pieces) m_bytes.insert(m_bytes.end(), piece.begin(), piece.end());
  zeros(xdrPadded(size) - size);
}

void XdrWriter::opaque(Bytes bytes) {
  QUARRY_CHECK(bytes.size() <= std::numeric_limits<uint32_t>::max());
  u32(static_cast<uint32_t>(bytes.size()));
  fixedOpaque(bytes);
}

void XdrWriter::truncate(size_t size) {
  QUARRY_CHECK(size <= m_bytes.size());
  m_bytes.resize(size);
}

}  // namespace quarry::rpc
