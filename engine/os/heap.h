// SPDX-License-Identifier: GPL-3.0-or-later
// How the C library's heap behaves. Called once, before threads start; does nothing where the library has no such knobs.
#pragma once

namespace quarry::os {

// Freed memory goes back to the system instead of waiting in the heap, so that the process takes what the RAM cache was given and little more.
// Without it glibc kept 200 MiB beside a cache of 512 MiB.
void keepHeapSmall();

}  // namespace quarry::os
