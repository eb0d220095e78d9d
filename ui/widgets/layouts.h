// SPDX-License-Identifier: GPL-3.0-or-later
// What Qt's layouts lack. GUI thread only.
#pragma once

class QLayout;

namespace quarry {

void clearLayout(QLayout& layout);  // deletes its widgets at once

}  // namespace quarry
