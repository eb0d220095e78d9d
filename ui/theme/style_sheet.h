// SPDX-License-Identifier: GPL-3.0-or-later
// The one style sheet of the console, generated from the colour table and the metrics. Stateless.
#pragma once

#include <QString>

#include "ui/theme/colors.h"

namespace quarry {

QString styleSheet(Scheme scheme);

}  // namespace quarry
