// SPDX-License-Identifier: GPL-3.0-or-later
// SipHash-2-4 with 128 bits of output: a keyed hash that is quick on short input and that nobody without the key can predict.
// Source: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", https://131002.net/siphash/
// Threads: a pure function.
#pragma once

#include <array>
#include <cstddef>

#include "engine/base/bytes.h"

namespace quarry::nfs {

using SipKey = std::array<std::byte, 16>;
using SipTag = std::array<std::byte, 16>;

SipTag sipHash128(const SipKey& key, Bytes bytes);

}  // namespace quarry::nfs
