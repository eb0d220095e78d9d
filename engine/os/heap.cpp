// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/os/heap.h"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace quarry::os {

void setUpHeap() {
#ifdef __GLIBC__
  ::mallopt(M_ARENA_MAX, 2);
  ::mallopt(M_MMAP_THRESHOLD, 4 * 1024 * 1024);
  ::mallopt(M_TRIM_THRESHOLD, 16 * 1024 * 1024);
#endif
}

void trimHeap() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace quarry::os
