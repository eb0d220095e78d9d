// SPDX-License-Identifier: GPL-3.0-or-later
// One-colour line icons by meaning. The icon is tinted when it is painted, at the device's pixel ratio: a theme change needs no
// new icons. GUI thread only.
#pragma once

#include <QIcon>
#include <QPixmap>

#include "ui/theme/colors.h"

namespace quarry {

enum class Icon {
  Dashboard,
  Vstorage,
  Vm,
  Dedup,
  Cache,
  Events,
  Settings,
  Copy,
  Check,
  Warning,
  Error,
  Close,
  Search,
  Run,
  Refresh,
  Export,
  Wait,
  Chevron,
};

QIcon icon(Icon icon, ColorRole role = ColorRole::Dim);
QPixmap iconPixmap(Icon icon, ColorRole role, int size, qreal devicePixelRatio);
QIcon applicationIcon();

}  // namespace quarry
