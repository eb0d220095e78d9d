// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/reserved_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "engine/base/bytes.h"
#include "engine/base/check.h"

namespace quarry::cache {

namespace {
void* map(uint64_t bytes) { return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0); }
}  // namespace

ReservedMemory::ReservedMemory(uint64_t bytes, Size size) : m_bytes(std::max(alignUp(bytes, blockBytes), blockBytes)) {
  void* mapped = map(m_bytes);
  for (; mapped == MAP_FAILED && size == Size::UpTo && m_bytes > blockBytes; mapped = map(m_bytes)) m_bytes = alignUp(m_bytes / 2, blockBytes);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  // A huge page would stay resident for its one block that is still used. Kernels without huge pages know no such advice.
  (void)madvise(mapped, m_bytes, MADV_NOHUGEPAGE);
  m_data = static_cast<std::byte*>(mapped);
}

ReservedMemory::~ReservedMemory() { munmap(m_data, m_bytes); }

void ReservedMemory::giveBack(uint64_t offset, uint64_t length) {
  QUARRY_CHECK(offset % blockBytes == 0 && length % blockBytes == 0 && offset + length <= m_bytes);
  QUARRY_CHECK(madvise(m_data + offset, length, MADV_DONTNEED) == 0);
}

}  // namespace quarry::cache
