// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's banner says about the engine and its store: the worst of what is wrong, with its remedy. Nothing while all is well.
// Reads the context and changes nothing. GUI thread only.
#pragma once

#include <QString>
#include <optional>

#include "app/client/console_context.h"
#include "ui/theme/colors.h"

namespace quarry {

struct BannerWords {
  ColorRole role;
  QString text;
  QString action;  // empty: there is nothing to do but wait
};

std::optional<BannerWords> bannerWords(const ConsoleContext& context);

}  // namespace quarry
