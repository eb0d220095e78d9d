// SPDX-License-Identifier: GPL-3.0-or-later
// How many files this process may have open at once. Many systems give a process 1024 and let it ask for far more.
// Call once, before threads start; descriptors that are open stay as they are.
#pragma once

#include <cstdint>

namespace quarry::os {

// Raises the limit as far as the system lets it; what holds then is returned, also when nothing could be raised.
uint64_t raiseDescriptorLimit();

}  // namespace quarry::os
