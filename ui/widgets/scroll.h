// SPDX-License-Identifier: GPL-3.0-or-later
// Lets what does not fit be scrolled, without a frame of its own. GUI thread only.
#pragma once

class QScrollArea;
class QWidget;

namespace quarry {

QScrollArea* makeScroll(QWidget* inside);  // takes the widget, which is made as wide as the area

}  // namespace quarry
