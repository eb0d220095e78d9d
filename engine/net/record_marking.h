// SPDX-License-Identifier: GPL-3.0-or-later
// Record marking, RFC 5531 section 11: over TCP each RPC message is a record, sent as fragments. A fragment is a 4-byte big-endian mark
// (top bit: last fragment; the rest: length) and its bytes. RecordAssembler turns the bytes of one connection into whole records; the
// bytes of a large record are received straight into its own memory, which is laid out so that the opaque at its end (WRITE's data) lies on a
// page and can be written to disk without a copy.
//
// Threads: one at a time; a connection owns one. Sizes are in bytes.
// Failure: Protocol when a record is longer than recordBytesMax or has more than fragmentsMax fragments. Nothing can be read after that:
// the connection is to be closed.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "engine/base/bytes.h"
#include "engine/base/result.h"

namespace quarry::net {

inline constexpr size_t payloadBytesMax = 1024 * 1024;
inline constexpr size_t recordBytesMax = payloadBytesMax + 4096;  // the largest WRITE and its headers
inline constexpr uint32_t fragmentsMax = 1024;                    // per record; bounds the work that tiny fragments cause
inline constexpr size_t recordMarkBytes = 4;

// One received message. Move only; spans into bytes() stay valid when the Record is moved.
class Record {
 public:
  Record() = default;
  Bytes bytes() const { return {data(), m_size}; }
  static Record copyOf(Bytes bytes);

 private:
  friend class RecordAssembler;
  std::byte* data() const { return m_data.get() + m_begin; }
  // Byte `onPage` (0: none) is to lie on a page, as long as the record does not grow beyond the capacity.
  void reserve(size_t capacity, size_t onPage = 0);
  void append(Bytes bytes);

  std::unique_ptr<std::byte[]> m_data;
  size_t m_begin = 0;  // of the record in m_data
  size_t m_size = 0;
  size_t m_capacity = 0;
};

class RecordAssembler {
 public:
  RecordAssembler();

  // Where the next received bytes belong; never empty. Valid until received().
  MutableBytes space();
  // The first `count` bytes of space() were filled. Afterwards records may be ready.
  Result<void> received(size_t count);
  // The next whole record in order of arrival.
  std::optional<Record> next();
  // Bytes of an unfinished record are held.
  bool inRecord() const { return m_inFragment || m_fragmentCount > 0 || m_inputEnd > m_inputBegin; }

 private:
  static constexpr size_t inputBytes = 64 * 1024;

  Result<void> consumeInput();
  Result<void> beginFragment(uint32_t mark);
  void takeFragmentBytes();
  void endFragmentIfComplete();

  std::unique_ptr<std::byte[]> m_input;  // marks and small records; [m_inputBegin, m_inputEnd) is not consumed yet
  size_t m_inputBegin = 0, m_inputEnd = 0;
  Record m_record;                       // of which fragments have come
  size_t m_fragmentLeft = 0;             // bytes of the fragment still to come
  uint32_t m_fragmentCount = 0;
  bool m_inFragment = false, m_lastFragment = false, m_direct = false;
  std::deque<Record> m_ready;
};

// The mark of a record that is sent as one fragment of `length` bytes.
std::array<std::byte, recordMarkBytes> recordMark(size_t length);

}  // namespace quarry::net
