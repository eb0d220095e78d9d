// SPDX-License-Identifier: GPL-3.0-or-later
// Zero-filled memory at a fixed address of which only what is touched takes RAM, in pages of 4 KiB, and which gives pages back one by one:
// for arrays that grow and shrink by gigabytes without ever being copied.
//
// Threads: any; giving back is for whoever owns the range. Failure: std::bad_alloc where the system refuses even the address space.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quarry::cache {

class ReservedMemory {
 public:
  enum class Size { Exact, UpTo };  // UpTo: a half, a quarter, … where the system allows no more address space
  explicit ReservedMemory(uint64_t bytes, Size size = Size::Exact);
  ~ReservedMemory();
  ReservedMemory(const ReservedMemory&) = delete;
  ReservedMemory& operator=(const ReservedMemory&) = delete;

  std::byte* data() const { return m_data; }
  uint64_t bytes() const { return m_bytes; }
  // Whole pages; they are zero when they are touched again.
  void giveBack(uint64_t offset, uint64_t length);

 private:
  std::byte* m_data = nullptr;
  uint64_t m_bytes = 0;
};

// The same as an array. T must be valid when all its bytes are zero, and needs no destructor.
template <class T>
class ReservedArray {
 public:
  explicit ReservedArray(uint64_t count) : m_memory(count * sizeof(T)) {}
  T& operator[](uint64_t at) { return reinterpret_cast<T*>(m_memory.data())[at]; }
  const T& operator[](uint64_t at) const { return reinterpret_cast<const T*>(m_memory.data())[at]; }

  // What lies behind `count` elements goes back, once that is worth a call. To be told of every change of the count.
  void keep(uint64_t count) {
    const uint64_t pages = (count * sizeof(T) + pageBytes - 1) / pageBytes;
    if (pages > m_touchedPages) m_touchedPages = pages;
    if (m_touchedPages - pages < slackPages) return;
    m_memory.giveBack(pages * pageBytes, (m_touchedPages - pages) * pageBytes);
    m_touchedPages = pages;
  }

 private:
  static constexpr uint64_t pageBytes = 4096, slackPages = 16;
  ReservedMemory m_memory;
  uint64_t m_touchedPages = 0;
};

}  // namespace quarry::cache
