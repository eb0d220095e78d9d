// SPDX-License-Identifier: GPL-3.0-or-later
// XDR, RFC 4506: big-endian words, opaque data padded to four bytes.
//
// XdrReader never reads outside its bytes. The first value that is missing or over its limit makes it fail; from then on every value is
// zero or empty, so a decoder reads all its arguments and asks ok() once. Padding may hold anything: some clients do not clear it. Spans
// and string views point into the bytes given. XdrWriter appends to memory of its own.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/base/bytes.h"

namespace quarry::rpc {

class XdrReader {
 public:
  explicit XdrReader(Bytes bytes) : m_bytes(bytes) {}

  uint32_t u32();
  uint64_t u64();
  bool boolean();                          // fails on anything but 0 and 1
  Bytes fixedOpaque(size_t size);          // with its padding
  Bytes opaque(size_t sizeMax);            // length first
  std::string_view string(size_t sizeMax) { return asText(opaque(sizeMax)); }

  bool ok() const { return !m_failed; }
  void setFailed() { m_failed = true; }    // a value that the type does not allow
  size_t position() const { return m_at; }
  Bytes rest() const { return m_failed ? Bytes() : m_bytes.subspan(m_at); }

 private:
  Bytes take(size_t size);  // exactly `size` bytes, or empty and failed

  Bytes m_bytes;
  size_t m_at = 0;
  bool m_failed = false;
};

class XdrWriter {
 public:
  void u32(uint32_t value);
  void u64(uint64_t value);
  void boolean(bool value) { u32(value ? 1 : 0); }
  void fixedOpaque(Bytes bytes);           // adds padding
  void opaque(Bytes bytes);                // length first
  void opaque(std::span<const Bytes> pieces, size_t size);  // one opaque of all of them
  void string(std::string_view text) { opaque(asBytes(text)); }
  void zeros(size_t count) { m_bytes.resize(m_bytes.size() + count); }

  size_t size() const { return m_bytes.size(); }
  Bytes bytes() const { return m_bytes; }
  void truncate(size_t size);              // takes back what was written after `size`
  void reserve(size_t size) { m_bytes.reserve(size); }
  std::vector<std::byte> release() { return std::move(m_bytes); }

 private:
  std::vector<std::byte> m_bytes;
};

constexpr size_t xdrPadded(size_t size) { return (size + 3) / 4 * 4; }

}  // namespace quarry::rpc
