// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/net/record_marking.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/check.h"

namespace quarry::net {

namespace {
constexpr uint32_t lastFragmentBit = 0x80000000u;
constexpr size_t opaqueSearchBytes = 1024;  // more than RPC's credential and verifier and WRITE's arguments take

uint32_t loadMark(const std::byte* from) {
  return std::to_integer<uint32_t>(from[0]) << 24 | std::to_integer<uint32_t>(from[1]) << 16 | std::to_integer<uint32_t>(from[2]) << 8 |
         std::to_integer<uint32_t>(from[3]);
}

// Where the opaque that ends a record of `length` bytes begins: behind the first word that counts just the bytes that follow it. 0: none is in
// sight, or it is too small to matter. A wrong guess costs a copy later and nothing else.
size_t largeOpaqueAt(Bytes seen, size_t length) {
  for (size_t at = 0; at + 4 <= std::min(seen.size(), opaqueSearchBytes); at += 4) {
    const uint32_t size = loadMark(seen.data() + at);
    const size_t left = length - at - 4;
    if (size >= blockBytes && size <= left && left - size < 4) return at + 4;
  }
  return 0;
}
}  // namespace

Record Record::copyOf(Bytes bytes) {
  Record record;
  record.append(bytes);
  return record;
}

void Record::reserve(size_t capacity, size_t onPage) {
  if (capacity <= m_capacity) return;
  // Doubling keeps the copying linear in the record's size when it comes in many fragments.
  const size_t grown = std::max(capacity, std::min(m_capacity * 2, recordBytesMax));
  auto memory = std::make_unique_for_overwrite<std::byte[]>(grown + (onPage > 0 ? blockBytes : 0));
  const size_t begin = onPage > 0 ? blockBytes - (reinterpret_cast<uintptr_t>(memory.get()) + onPage) % blockBytes : 0;
  if (m_size > 0) std::memcpy(memory.get() + begin, data(), m_size);
  m_data = std::move(memory);
  m_begin = begin;
  m_capacity = grown;
}

void Record::append(Bytes bytes) {
  if (bytes.empty()) return;
  reserve(m_size + bytes.size());
  std::memcpy(data() + m_size, bytes.data(), bytes.size());
  m_size += bytes.size();
}

RecordAssembler::RecordAssembler() : m_input(std::make_unique_for_overwrite<std::byte[]>(inputBytes)) {}

MutableBytes RecordAssembler::space() {
  // With the input used up, the rest of a fragment goes where it belongs.
  m_direct = m_inFragment && m_fragmentLeft > 0 && m_inputBegin == m_inputEnd;
  if (m_direct) return {m_record.data() + m_record.m_size, m_fragmentLeft};
  if (m_inputBegin > 0) {
    std::memmove(m_input.get(), m_input.get() + m_inputBegin, m_inputEnd - m_inputBegin);
    m_inputEnd -= std::exchange(m_inputBegin, 0);
  }
  return {m_input.get() + m_inputEnd, inputBytes - m_inputEnd};
}

Result<void> RecordAssembler::received(size_t count) {
  if (!m_direct) {
    QUARRY_CHECK(count <= inputBytes - m_inputEnd);
    m_inputEnd += count;
    return consumeInput();
  }
  QUARRY_CHECK(count <= m_fragmentLeft);
  m_record.m_size += count;
  m_fragmentLeft -= count;
  endFragmentIfComplete();
  return {};
}

std::optional<Record> RecordAssembler::next() {
  if (m_ready.empty()) return std::nullopt;
  Record record = std::move(m_ready.front());
  m_ready.pop_front();
  return record;
}

// Leaves at most an incomplete mark in the input.
Result<void> RecordAssembler::consumeInput() {
  while (true) {
    if (m_inFragment) {
      takeFragmentBytes();
      if (m_inFragment) return {};
    }
    if (m_inputEnd - m_inputBegin < recordMarkBytes) return {};
    const uint32_t mark = loadMark(m_input.get() + m_inputBegin);
    m_inputBegin += recordMarkBytes;
    if (auto begun = beginFragment(mark); !begun) return begun;
  }
}

Result<void> RecordAssembler::beginFragment(uint32_t mark) {
  const size_t length = mark & ~lastFragmentBit;
  if (length > recordBytesMax - m_record.m_size)
    return fail(ErrorCode::Protocol, "RPC record of " + std::to_string(m_record.m_size + length) + " bytes, the limit is " + std::to_string(recordBytesMax));
  if (++m_fragmentCount > fragmentsMax)
    return fail(ErrorCode::Protocol, "RPC record in more than " + std::to_string(fragmentsMax) + " fragments");
  m_lastFragment = (mark & lastFragmentBit) != 0;
  const bool isWhole = m_lastFragment && m_record.m_size == 0;
  const Bytes seen(m_input.get() + m_inputBegin, std::min(length, m_inputEnd - m_inputBegin));
  m_record.reserve(m_record.m_size + length, isWhole ? largeOpaqueAt(seen, length) : 0);
  m_fragmentLeft = length;
  m_inFragment = true;
  return {};
}

void RecordAssembler::takeFragmentBytes() {
  const size_t count = std::min(m_fragmentLeft, m_inputEnd - m_inputBegin);
  m_record.append({m_input.get() + m_inputBegin, count});
  m_inputBegin += count;
  m_fragmentLeft -= count;
  endFragmentIfComplete();
}

void RecordAssembler::endFragmentIfComplete() {
  if (m_fragmentLeft > 0) return;
  m_inFragment = false;
  if (!m_lastFragment) return;
  m_ready.push_back(std::exchange(m_record, Record()));
  m_fragmentCount = 0;
}

std::array<std::byte, recordMarkBytes> recordMark(size_t length) {
  QUARRY_CHECK(length < lastFragmentBit);
  const uint32_t mark = lastFragmentBit | static_cast<uint32_t>(length);
  return {std::byte(mark >> 24), std::byte(mark >> 16 & 0xff), std::byte(mark >> 8 & 0xff), std::byte(mark & 0xff)};
}

}  // namespace quarry::net
