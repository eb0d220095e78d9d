// SPDX-License-Identifier: GPL-3.0-or-later
// How the C library's heap behaves. setUpHeap() is called once, before threads start, trimHeap() from any. Both do nothing where the library has no
// such knobs.
#pragma once

namespace quarry::os {

// Few arenas and no mappings for buffers of disk and network I/O, which come and go by the thousand: page faults for each took a third of
// sequential throughput.
void setUpHeap();

// Freed memory goes back to the system, so that the process takes what the RAM cache was given and little more: without it glibc kept 200 MiB
// beside a cache of 512 MiB. Takes milliseconds; for every few seconds.
void trimHeap();

}  // namespace quarry::os
