// SPDX-License-Identifier: GPL-3.0-or-later
// Distances of the console in device-independent pixels. Space goes in steps of 4.
#pragma once

namespace quarry::metrics {

inline constexpr int step = 4;
inline constexpr int pageMargin = 24;
inline constexpr int cardGap = 16;
inline constexpr int cardPadding = 16;
inline constexpr int cardRadius = 8;
inline constexpr int controlRadius = 6;
inline constexpr int controlHeight = 30;
inline constexpr int rowHeight = 30;
inline constexpr int navigationWidth = 200;
inline constexpr int compactNavigationWidth = 58;  // icons alone
inline constexpr int compactBelow = 1080;         // width of the window
inline constexpr int headerHeight = 56;
inline constexpr int statusHeight = 28;
inline constexpr int iconSize = 16;

}  // namespace quarry::metrics
