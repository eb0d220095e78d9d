// SPDX-License-Identifier: GPL-3.0-or-later
// The one checksum of every on-disk format: XXH3, 64 bits (https://github.com/Cyan4973/xxHash). It finds damage; it is no
// defence against an attacker: identity of blocks is blockstore/fingerprint.h.
#pragma once

#include <cstdint>

#include "engine/base/bytes.h"

namespace quarry {
uint64_t checksum(Bytes bytes, uint64_t seed = 0);
}  // namespace quarry
