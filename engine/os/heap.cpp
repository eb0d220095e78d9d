// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/os/heap.h"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace quarry::os {

void keepHeapSmall() {
#ifdef __GLIBC__
  ::mallopt(M_ARENA_MAX, 2);
  // Set, it does not grow with what is freed: buffers of disk and network I/O are mappings of their own.
  ::mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  ::mallopt(M_TRIM_THRESHOLD, 1024 * 1024);
#endif
}

}  // namespace quarry::os
