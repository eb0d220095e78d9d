// SPDX-License-Identifier: GPL-3.0-or-later
// The control protocol's version. The engine greets with it; a console or quarryctl with another major number says so and
// stops. A minor number only adds members and methods: unknown members are ignored, missing ones take their default.
#pragma once

namespace quarry::protocol {
inline constexpr int versionMajor = 1;
inline constexpr int versionMinor = 1;
inline constexpr const char* productVersion = "0.1.0";
}  // namespace quarry::protocol
