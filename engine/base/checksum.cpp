// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/checksum.h"

#include <xxhash.h>

namespace quarry {
uint64_t checksum(Bytes bytes, uint64_t seed) { return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed); }
}  // namespace quarry
